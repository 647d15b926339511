// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_module.h"

#include "entry_name.h"

#include <architectures/architectures.h>
#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

// CUfunction_attribute (cuda.h).
enum { MaxThreadsOfBlock = 0, StaticShared = 1, Registers = 4, MaxDynamicShared = 8 };

} // namespace

Result<std::shared_ptr<CudaModule>> CudaModule::load(CudaDevice &device, std::shared_ptr<CudaDriver> driver,
                                                     std::shared_ptr<const Artifact> artifact) {
  KILN_CHECK(device.enter());
  std::shared_ptr<CudaModule> module(new CudaModule());
  CudaModule &m = *module;
  CudaDriver &cu = *driver;
  m.driver_ = std::move(driver);
  m.artifact_ = std::move(artifact);
  const Artifact &code = *m.artifact_;
  bool text = code.kind == ArtifactKind::Assembly;
  if (code.bytes.empty()) return usage_error("the artifact to be loaded is empty");
  if (const PtxHeader header = text ? ptx_header(code.bytes) : PtxHeader(); header.isa)
    if (auto reads = check_reader(driver_reader(cu.version()), header.arch, header.isa); !reads.ok()) {
      Error error = reads.take_error();
      error.diagnostics()[0].message =
          fmt::format("loading {} on {}: {}", code.entry, device.info().name, error.diagnostics()[0].message);
      return error;
    }
  char log[4096] = "";
  int options[] = {cuda_flags::ErrorLog, cuda_flags::ErrorLogBytes};
  void *values[] = {log, reinterpret_cast<void *>(sizeof log - 1)};
  // The driver requires a zero byte after PTX text; std::string provides one.
  if (int status = cu.LibraryLoadData(&m.library_, code.bytes.data(), options, values, text ? 2 : 0, nullptr,
                                      nullptr, 0)) {
    m.library_ = nullptr;
    Error error = device.error(
        status, fmt::format("loading {} on {} (sm_{})", code.entry, device.info().name, device.info().sm));
    if (log[0]) error.diagnostics()[0].notes.push_back({std::string("the driver's assembler: ") + log, {}});
    return error;
  }
  return module;
}

CudaModule::~CudaModule() {
  if (library_) driver_->LibraryUnload(library_);
}

Result<std::shared_ptr<CudaModule>> CudaModules::get(CudaDevice &device,
                                                     const std::shared_ptr<CudaDriver> &driver,
                                                     const std::shared_ptr<const Artifact> &artifact) {
  const std::shared_ptr<const Artifact> &object = artifact->merged ? artifact->merged : artifact;
  std::lock_guard lock(mutex_); // held during the load, so that concurrent callers load one module only once
  if (auto it = loaded_.find(object.get()); it != loaded_.end())
    if (auto module = it->second.lock()) return module;
  if (device.captures_here())
    return usage_error(fmt::format(
        "{} cannot be loaded while this thread captures a graph: prepare it before Stream::capture_begin",
        artifact->entry));
  KILN_TRY(auto module, CudaModule::load(device, driver, object));
  if (loaded_.size() >= prune_at_) {
    std::erase_if(loaded_, [](const auto &each) { return each.second.expired(); });
    prune_at_ = std::max<size_t>(64, 2 * loaded_.size());
  }
  loaded_[object.get()] = module;
  return module;
}

Result<std::shared_ptr<CudaKernel>> CudaKernel::make(std::shared_ptr<CudaDevice> device,
                                                     std::shared_ptr<CudaModule> module,
                                                     std::shared_ptr<const Artifact> of_kernel,
                                                     std::string name) {
  KILN_CHECK(device->enter());
  std::shared_ptr<CudaKernel> kernel(new CudaKernel());
  CudaKernel &k = *kernel;
  CudaDriver &cu = device->driver();
  const Artifact &artifact = *of_kernel;
  void *handle = nullptr;
  int status = cu.LibraryGetKernel(&handle, module->library(), artifact.entry.c_str());
  if (status == cuda_status::NotFound)
    return usage_error(fmt::format("the module has no kernel {}", artifact.entry));
  // With lazy loading, each of these calls may load the code and fail.
  auto loading = [&](int code) {
    return code ? Result<void>(device->error(code, fmt::format("loading {} on {} (sm_{})", artifact.entry,
                                                               device->info().name, device->info().sm)))
                : Result<void>();
  };
  KILN_CHECK(loading(status));
  KILN_CHECK(loading(cu.KernelGetFunction(&k.function_, handle)));
  // Load the function now. The driver would otherwise load it at the first launch or attribute query.
  if (cu.FunctionLoad) KILN_CHECK(loading(cu.FunctionLoad(k.function_)));
  auto attribute = [&](int which) -> Result<uint64_t> {
    int value = 0;
    KILN_CHECK(loading(cu.FunctionGetAttribute(&value, which, k.function_)));
    return uint64_t(value);
  };
  KILN_TRY(k.max_threads_, attribute(MaxThreadsOfBlock));
  KILN_TRY(k.static_shared_, attribute(StaticShared));
  KILN_TRY(uint64_t registers, attribute(Registers));
  k.registers_ = uint32_t(registers);
  // Set the function's limit of dynamic shared memory to the maximum once, so that no launch has to.
  uint64_t shared = device->limits().shared_bytes;
  const uint64_t dynamic = shared > k.static_shared_ ? shared - k.static_shared_ : 0;
  KILN_CHECK(loading(cu.FunctionSetAttribute(k.function_, MaxDynamicShared, int(dynamic))));
  k.has_state_ = artifact.has_kernel_state;
  k.needs_cooperative_launch_ = artifact.needs_cooperative_launch;
  k.parameters_ = artifact.parameters.size();
  k.name_ = name.empty() ? function_of_entry(artifact.entry) : std::move(name);
  k.device_ = std::move(device);
  k.module_ = std::move(module);
  k.artifact_ = std::move(of_kernel);
  return kernel;
}

Error CudaKernel::refused(const LaunchShape &shape) const {
  if (auto fits_device = check_shape(shape, static_shared_, device_->limits(), device_->info().name);
      !fits_device.ok())
    return fits_device.take_error();
  return usage_error(fmt::format(
      "a block of {} threads: {} runs in at most {}, since it takes {} registers a thread, or was compiled for so many: {} and {} change it",
      uint64_t(shape.threads[0]) * shape.threads[1] * shape.threads[2], name(), max_threads_, registers_,
      option_hint("maxregs"), option_hint("maxthreads")));
}

Result<CudaKernel::Suggestion> CudaKernel::suggest(uint64_t shared_bytes) const {
  KILN_CHECK(device_->enter());
  Suggestion s;
  KILN_CHECK(device_->check(
      device_->driver().OccupancyBlockSize(&s.blocks, &s.threads, function_, nullptr, shared_bytes, 0),
      "asking for the kernel's occupancy"));
  return s;
}

Result<std::pair<uint64_t, uint64_t>> CudaKernel::global(const std::string &variable) const {
  KILN_CHECK(device_->enter());
  uint64_t address = 0;
  size_t bytes = 0;
  int status = device_->driver().LibraryGetGlobal(&address, &bytes, module_->library(), variable.c_str());
  if (status == cuda_status::NotFound)
    return undefined_error(variable,
                           fmt::format("the module of {} has no global variable {}", name(), variable), {},
                           "names are those of the assembly: " + product_hint("asm") + " shows them");
  KILN_CHECK(device_->check(status, "finding a global variable"));
  return std::pair<uint64_t, uint64_t>(address, bytes);
}

} // namespace kiln
