// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_link.h"

namespace kiln {

namespace {

// CUjit_option (cuda.h).
enum {
  InfoLog = 3,
  InfoLogBytes = 4,
  OptimizationLevel = 7,
  JitTarget = 9,
  GenerateDebugInfo = 11,
  LogVerbose = 12,
  GenerateLineInfo = 13
};
constexpr size_t log_bytes = size_t(1) << 18;

/// CUjit_target
size_t target_of(GpuArch arch) {
  constexpr int accelerated = 0x10000, family = 0x20000; // CU_COMPUTE_ACCELERATED_TARGET_BASE, ..._FAMILY_...
  return size_t(arch.sm) + (arch.variant == ArchVariant::Specific ? accelerated
                            : arch.variant == ArchVariant::Family ? family
                                                                  : 0);
}

struct Link {
  CudaDriver &driver;
  void *state = nullptr;
  ~Link() {
    if (state) driver.LinkDestroy(state);
  }
};

} // namespace

Result<CudaLinked> link_code(CudaDevice &device, const CudaLinkOptions &options,
                             const std::vector<CudaLinkInput> &inputs) {
  KILN_CHECK(device.enter());
  CudaDriver &cu = device.driver();
  std::string info(log_bytes, '\0'), errors(log_bytes, '\0');
  std::vector<int> names;
  std::vector<void *> values;
  auto option = [&](int name, size_t value) {
    names.push_back(name);
    values.push_back(reinterpret_cast<void *>(value));
  };
  option(InfoLog, reinterpret_cast<size_t>(info.data()));
  option(InfoLogBytes, log_bytes - 1);
  option(cuda_flags::ErrorLog, reinterpret_cast<size_t>(errors.data()));
  option(cuda_flags::ErrorLogBytes, log_bytes - 1);
  option(LogVerbose, 1);
  option(JitTarget, target_of(options.arch));
  option(OptimizationLevel, size_t(options.opt_level));
  if (options.debug) option(GenerateDebugInfo, 1);
  if (options.line_info) option(GenerateLineInfo, 1);
  // The link state points to the logs and their sizes, so these must outlive it.
  Link link{cu};
  KILN_CHECK(device.check(cu.LinkCreate(unsigned(names.size()), names.data(), values.data(), &link.state),
                          "beginning to assemble with the driver"));
  CudaLinked linked;
  for (const CudaLinkInput &input : inputs) {
    const size_t size = input.bytes->size() + (input.kind == CudaLinkKind::Ptx ? 1 : 0);
    linked.status = cu.LinkAddData(link.state, int(input.kind), const_cast<char *>(input.bytes->c_str()),
                                   size, input.name.c_str(), 0, nullptr, nullptr);
    if (linked.status) break;
  }
  void *code = nullptr;
  size_t size = 0;
  if (!linked.status) linked.status = cu.LinkComplete(link.state, &code, &size);
  if (!linked.status) linked.cubin.assign(static_cast<const char *>(code), size); // freed with the link
  linked.log = linked.status ? errors.c_str() : info.c_str();
  if (linked.status && linked.log.empty())
    linked.log = cu.error(linked.status, "the driver").diagnostics()[0].message;
  return linked;
}

} // namespace kiln
