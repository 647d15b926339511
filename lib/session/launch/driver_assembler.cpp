// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver_assembler.h"

#include <architectures/architectures.h>
#include <job/job.h>
#include <ptx/ptx.h>

namespace kiln {

namespace {

/// Returns the driver's kind for a linked file; no value if the driver cannot link such files.
std::optional<CudaLinkKind> link_kind(LinkedKind kind) {
  switch (kind) {
  case LinkedKind::Ptx: return CudaLinkKind::Ptx;
  case LinkedKind::Cubin: return CudaLinkKind::Cubin;
  case LinkedKind::Fatbin: return CudaLinkKind::Fatbin;
  case LinkedKind::Object: return CudaLinkKind::Object;
  case LinkedKind::Archive: return CudaLinkKind::Archive;
  case LinkedKind::LtoIr:
  case LinkedKind::Bitcode:
  case LinkedKind::LlvmText: break;
  }
  return std::nullopt;
}

class DriverAssembler final : public Assembler {
public:
  DriverAssembler(std::shared_ptr<CudaDevice> device, const Target &target, int sm)
      : device_(std::move(device)), target_(target), sm_(sm), identity_(device_->driver().identity()) {
    if (sm_) identity_ += fmt::format(", for sm_{}", sm_);
  }
  const std::string &identity() const override { return identity_; }
  const std::string &path() const override { return path_; }

  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const override {
    const bool debug = config.debug_level >= 2 && !config.strip; // such code is not optimised
    const std::optional<GpuCode> code = target_.gpu_code(config.target);
    if (!code)
      return usage_error(fmt::format("a GPU's driver assembles no code of the target {}", target_.name()));
    const GpuArch arch = arch_of(*code);
    KILN_CHECK(check_reader(driver_reader(device_->driver().version()), arch, isa_of(*code)));
    CudaLinkOptions options{.arch = sm_ ? GpuArch{sm_, ArchVariant::Plain} : arch,
                            .opt_level = debug ? 0 : config.opt_level,
                            .debug = debug};
    options.line_info = config.debug_level == 1 && !config.strip;
    const std::string terminated(text);
    std::vector<CudaLinkInput> inputs{{CudaLinkKind::Ptx, &terminated, "kernel.ptx"}};
    for (const LinkedFile &file : config.linked) {
      if (is_llvm_ir(file)) continue; // already part of the PTX
      std::optional<CudaLinkKind> kind = link_kind(file.kind);
      if (!kind)
        return machine_error(fmt::format("{}: {} links no LTO-IR", file.name, identity_),
                             "libnvJitLink of the CUDA toolkit (or the PyPI package nvidia-nvjitlink) does");
      inputs.push_back({*kind, file.bytes.get(), file.name});
    }
    KILN_TRY(CudaLinked linked, link_code(*device_, options, inputs));
    if (linked.status) return assembler_error(linked.log, text, identity_, sources);
    AssembledObject object;
    object.bytes = std::move(linked.cubin);
    object.resources = kernel_resources_from(linked.log, entry);
    object.resources.constant_bytes = constant_bank_bytes(object.bytes, entry);
    return object;
  }

private:
  std::shared_ptr<CudaDevice> device_;
  const Target &target_;
  const int sm_;
  std::string identity_;
  const std::string path_; ///< not a file
};

} // namespace

std::unique_ptr<Assembler> driver_assembler(std::shared_ptr<CudaDevice> device, const Target &target,
                                            int sm) {
  return std::make_unique<DriverAssembler>(std::move(device), target, sm);
}

} // namespace kiln
