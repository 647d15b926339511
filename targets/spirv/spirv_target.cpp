// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv.h"

#include "integers.h"
#include "passes.h"

#include <rewrite/rewrite.h>

#include <fmt/format.h>
#include <llvm-c/Target.h>
#include <llvm/TargetParser/Triple.h>
#include <runtime_sources.h>

#include <algorithm>
#include <array>
#include <mutex>

namespace kiln {
namespace {

/// LLVM intrinsics for which the back-end has code, and that Kiln's tests cover.
constexpr std::array Lowered{"llvm.fabs.",       "llvm.sqrt.",       "llvm.floor.",
                             "llvm.ceil.",       "llvm.trunc.",      "llvm.rint.",
                             "llvm.nearbyint.",  "llvm.roundeven.",  "llvm.round.",
                             "llvm.fma.",        "llvm.fmuladd.",    "llvm.copysign.",
                             "llvm.minnum.",     "llvm.maxnum.",     "llvm.memcpy.",
                             "llvm.memset.",     "llvm.memmove.",    "llvm.ctpop.",
                             "llvm.ctlz.",       "llvm.cttz.",       "llvm.umin.",
                             "llvm.umax.",       "llvm.smin.",       "llvm.smax.",
                             "llvm.abs.",        "llvm.bswap.",      "llvm.bitreverse.",
                             "llvm.fshl.",       "llvm.fshr.",       "llvm.lifetime.",
                             "llvm.dbg.",        "llvm.minimum.",    "llvm.maximum.",
                             "llvm.is.fpclass.", "llvm.fptosi.sat.", "llvm.fptoui.sat.",
                             "llvm.ldexp.",      "llvm.usub.sat.",   "llvm.uadd.sat.",
                             "llvm.sadd.sat.",   "llvm.ssub.sat.",   "llvm.scmp.",
                             "llvm.ucmp.",       "llvm.assume",      "llvm.experimental.noalias",
                             "llvm.uadd.with",   "llvm.sadd.with",   "llvm.usub.with",
                             "llvm.ssub.with",   "llvm.umul.with",   "llvm.smul.with"};

constexpr std::string_view layout_of_back_end =
    "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-n8:16:32:64-G1";

class SpirvTarget final : public Target {
public:
  std::string_view name() const override { return "spirv"; }
  std::string_view version() const override { return "1"; }

  Result<TargetSpec> check(TargetSpec spec) const override {
    const SpirvOptions &options = spec.get<SpirvOptions>();
    if (options.version < 12 || options.version > 14)
      return usage_error(fmt::format("SPIR-V {}.{}: the versions are 1.2, 1.3 and 1.4", options.version / 10,
                                     options.version % 10));
    KILN_CHECK(spirv::read_features(options.features));
    return spec;
  }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<SpirvOptions>(read);
  }
  Result<TargetSpec> for_device(TargetSpec spec, const DeviceFacts &device) const override {
    if (device.kind != DeviceKind::OpenCl)
      return usage_error(fmt::format("{} does not run code of the spirv target", device.name));
    spec.edit<SpirvOptions>().features = device.features;
    KILN_CHECK(spirv::read_features(device.features));
    return spec;
  }
  std::optional<TargetSpec> retry(const Error &error, const TargetSpec &spec,
                                  const DeviceFacts &device) const override {
    if (std::ranges::none_of(error.diagnostics(), [](const Diagnostic &each) {
          return each.code == ErrorCode::NeedsArchitecture;
        }))
      return std::nullopt;
    auto features = spirv::read_features(device.features);
    if (!features.ok() || !features->has(spirv::Feature::spirv13)) return std::nullopt;
    if (spec.get<SpirvOptions>().version >= 13) return std::nullopt;
    TargetSpec newer = spec;
    newer.edit<SpirvOptions>().version = 13;
    return newer;
  }
  std::string triple(const TargetSpec &spec) const override {
    const int version = spec.get<SpirvOptions>().version;
    return fmt::format("spirv64v{}.{}-unknown-unknown", version / 10, version % 10);
  }
  std::string cpu(const TargetSpec &) const override { return {}; }
  std::string features(const TargetSpec &) const override { return {}; }
  std::string data_layout(const TargetSpec &) const override {
    // The back-end's layout, and the host's alignment of 128-bit integers, which the back-end never sees.
    return "e-i64:64-i128:128-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-"
           "n8:16:32:64";
  }
  TargetCapabilities capabilities(const TargetSpec &) const override {
    return {.runs_on_host = false,
            .device = DeviceKind::OpenCl,
            .kernel_state = KernelStateType::ExceptionRecord,
            .convergent_calls = true,
            .can_check_accesses = false,
            .can_interrupt = false,
            .copies_exception_texts = true,
            .address_spaces = true,
            .max_atomic_bytes = 8,
            .atomic_scope = "device",
            .vectorizes_loops = false,
            // LLVM 22.1.8's back-end keeps types and values in the target machine, by their addresses: a
            // later module would get them, or freed memory.
            .reuses_machine = false,
            // Never: LLVM's loop strength reduction makes integers of any width, after the rewrite that
            // leaves only legal ones. LLVM 22.1.8's back-end then extends them with a wrong mask.
            .optimizes_code_from = 4,
            .inline_limit = 600,
            .assembly_extension = "spvasm"};
  }

  std::string_view overlay() const override { return "spirv"; }
  std::vector<EmbeddedSource> overlay_sources() const override { return library_overlay("spirv"); }

  void initialize_llvm() const override {
    static std::once_flag once;
    std::call_once(once, [] {
      LLVMInitializeSPIRVTargetInfo();
      LLVMInitializeSPIRVTarget();
      LLVMInitializeSPIRVTargetMC();
      LLVMInitializeSPIRVAsmPrinter();
    });
  }

  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Emitted) return {};
    return {{"waits", spirv::refuse_waits},
            {"positions", spirv::pass_positions},
            {"device functions", spirv::define_device_functions},
            {"thread ends", spirv::return_after_throws},
            {"entry", spirv::make_entry}};
  }

  Result<void> finish_ir(const CompilerConfig &config, llvm::Module &module) const override {
    const SpirvOptions &options = config.target.get<SpirvOptions>();
    KILN_TRY(const spirv::Features features, spirv::read_features(options.features));
    KILN_CHECK(spirv::lower_printing(features, module));
    KILN_CHECK(spirv::lower_intrinsics(spirv::doubles_for(config, features), module));
    spirv::leave_one_return(module);
    spirv::lower_bfloats(module);
    KILN_CHECK(spirv::map_address_spaces(module));
    spirv::expand_atomics(module);
    KILN_CHECK(spirv::legalize_integers(module));
    spirv::mask_extended_truncations(module);
    module.setDataLayout(layout_of_back_end);
    // Without this metadata, the back-end declares that no operations may be fused (ContractionOff).
    if (config.target.contracts(false)) module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
    return {};
  }

  bool is_intrinsic(std::string_view function) const override {
    if (function.starts_with("llvm."))
      return std::ranges::any_of(Lowered, [&](std::string_view name) { return function.starts_with(name); });
    return function == spirv::HiddenPrintf ||
           function.starts_with("_Z"); // OpenCL's built-in functions, under their mangled names
  }

  Result<void> validate_ir(const CompilerConfig &config, const llvm::Module &module) const override {
    const SpirvOptions &options = config.target.get<SpirvOptions>();
    KILN_TRY(const spirv::Features features, spirv::read_features(options.features));
    return spirv::check_capabilities(features, module);
  }
};

} // namespace

const Target &spirv_target() {
  static const SpirvTarget target; // immutable
  return target;
}

} // namespace kiln
