// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "architectures.h"
#include "assembler.h"
#include "devices.h"
#include "passes.h"
#include "ptx.h"

#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <fmt/format.h>
#include <runtime_sources.h>

#include <algorithm>
#include <array>

namespace kiln {
namespace {

/// LLVM intrinsics for which NVPTX has no code. Kiln's library calls libdevice instead.
constexpr std::array NoLowering{
    "llvm.pow.",    "llvm.powi.",    "llvm.exp.",   "llvm.exp10.", "llvm.log.",   "llvm.log10.", "llvm.sin.",
    "llvm.cos.",    "llvm.tan.",     "llvm.asin.",  "llvm.acos.",  "llvm.atan.",  "llvm.sinh.",  "llvm.cosh.",
    "llvm.tanh.",   "llvm.exp2.",    "llvm.log2.",  "llvm.ldexp.", "llvm.frexp.", "llvm.x86.",   "llvm.coro.",
    "llvm.lround.", "llvm.llround.", "llvm.lrint.", "llvm.llrint."};
/// Functions that may stay undefined. The CUDA driver links them into each program, or the assembler into
/// programs that launch kernels.
constexpr std::array<std::string_view, 9> DeviceFunctions{"vprintf",
                                                          "malloc",
                                                          "free",
                                                          "__assertfail",
                                                          ptx::GetParameterBuffer,
                                                          ptx::LaunchDevice,
                                                          ptx::GetLastError,
                                                          "__cudaCDP2StreamCreateWithFlags",
                                                          "__cudaCDP2StreamDestroy"};

constexpr uint64_t max_static_shared = 48 * 1024;

Result<void> reflect(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  for (const char *name : {"__nvvm_reflect", "__nvvm_reflect_ocl"})
    if (llvm::Function *question = module.getFunction(name); question && !question->use_empty()) {
      for (llvm::Function &function : module)
        ptx::resolve_reflect(function, ptx::reflect_values(config.target));
      return {};
    }
  return {};
}

Result<void> publish(const Target &, const CompilerConfig &, llvm::Module &module) {
  ptx::externalize_hot_callees(module);
  return {};
}

class PtxTarget final : public Target {
public:
  std::string_view name() const override { return "ptx"; }
  std::string_view version() const override { return "1"; }

  Result<TargetSpec> check(TargetSpec spec) const override {
    PtxOptions options = spec.get<PtxOptions>();
    KILN_CHECK(ptx::check_architecture(options));
    KILN_CHECK(ptx::check_launch_bounds(options));
    if (options != spec.get<PtxOptions>()) spec.edit<PtxOptions>() = options;
    return spec;
  }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<PtxOptions>(read);
  }
  Result<TargetSpec> for_device(TargetSpec spec, const DeviceFacts &device) const override {
    return ptx::spec_for_device(std::move(spec), device);
  }
  std::optional<TargetSpec> for_architecture(const TargetSpec &spec, std::string_view arch) const override {
    return ptx::spec_for_architecture(spec, arch);
  }
  std::optional<TargetSpec> retry(const Error &error, const TargetSpec &spec,
                                  const DeviceFacts &device) const override {
    return ptx::retry_with_specific(error, spec, device);
  }
  std::optional<GpuCode> gpu_code(const TargetSpec &spec) const override {
    const PtxOptions &options = spec.get<PtxOptions>();
    const bool is_required = options.required_threads[0] != 0;
    return GpuCode{.sm = options.sm,
                   .arch_specific = options.arch_specific,
                   .family_specific = options.family_specific,
                   .ptx_isa = options.ptx_isa,
                   .block_threads = is_required ? options.required_threads : options.max_threads,
                   .coarse_bytes = options.coarse_bytes};
  }
  std::string triple(const TargetSpec &) const override { return "nvptx64-nvidia-cuda"; }
  std::string cpu(const TargetSpec &spec) const override {
    return arch_name(arch_of(spec.get<PtxOptions>()));
  }
  std::string features(const TargetSpec &spec) const override {
    return fmt::format("+ptx{}", isa_of(spec.get<PtxOptions>()));
  }
  std::string data_layout(const TargetSpec &) const override {
    return "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
  }
  unsigned dwarf_version() const override { return 2; }
  TargetCapabilities capabilities(const TargetSpec &spec) const override {
    const PtxOptions &options = spec.get<PtxOptions>();
    return {.runs_on_host = false,
            .kernel_state = KernelStateType::ExceptionRecord,
            .convergent_calls = true,
            .can_check_accesses = false,
            .can_interrupt = false,
            .address_spaces = true,
            .max_atomic_bytes = 8,
            .atomic_scope = "device",
            .read_only_loads = true,
            .nan_minmax = options.sm >= 80 && isa_of(options) >= 70,
            .fuses_operations = true,
            .fast_math_flushes = true,
            .vectorizes_loops = false,
            .inline_limit = 600, // a call passes parameters through each thread's local memory, and keeps
                                 // arrays out of registers
            .one_line_an_instruction = true,
            .makes_objects = false,
            .makes_cubins = true,
            .assembly_extension = "ptx"};
  }

  std::string_view overlay() const override { return "ptx"; }
  std::vector<EmbeddedSource> overlay_sources() const override { return library_overlay("ptx"); }

  Result<void> finish_module(const CompilerConfig &config, llvm::Module &module,
                             llvm::Function &entry) const override {
    if (config.kernel) ptx::mark_kernel(config.target.get<PtxOptions>(), entry);
    PtxOptions of_launched; // without the entry's launch bounds
    of_launched.max_registers = config.target.get<PtxOptions>().max_registers;
    for (llvm::Function *kernel : launched_kernels(module)) ptx::mark_kernel(of_launched, *kernel);
    return {};
  }
  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Emitted) return {{"device launches", ptx::call_launches}};
    if (phase == RewritePhase::Linked)
      return {{"markers", ptx::lower_markers},
              {"reflect", reflect, true},
              {"register ranges", ptx::set_register_ranges},
              {"unsupported operations", ptx::mark_unsupported},
              {"invariant arguments", ptx::mark_invariant_arguments},
              {"many calls", publish}};
    return {};
  }
  Result<void> link_libraries(const CompilerConfig &config, llvm::Module &module,
                              Worker &worker) const override {
    return ptx::link_libdevice(*this, config, module, worker);
  }
  bool calls_library(const llvm::Module &module) const override { return ptx::calls_libdevice(module); }
  std::string library_digest() const override {
    auto digest = libdevice_digest();
    return digest.ok() ? *digest : std::string();
  }
  std::vector<std::string> assembler_files() const override {
    return {environment_text("KILN_ASSEMBLER"), find_nvjitlink().path, find_ptxas().path};
  }
  Result<void> optimize_module(const CompilerConfig &config, llvm::Module &module,
                               llvm::TargetMachine &) const override {
    ptx::lower_fast_operations(config, module);
    ptx::join_equal_throws(module);
    return ptx::mark_invariant_arguments(*this, config,
                                         module); // again: inlining has made more origins of pointers known
  }

  Result<Coarsening> coarsen(const CompilerConfig &config, llvm::Module &module,
                             std::string &why_not) const override {
    return ptx::coarsen_kernel(config, module, why_not);
  }
  Result<void> finish_ir(const CompilerConfig &config, llvm::Module &module) const override {
    // From -g2 on, the assembler does not optimise. It would leave lanes apart that left a loop in different
    // rounds, because a path from the loop ends the thread.
    if (config.optimize && config.opt_level > 0 && (config.debug_level < 2 || config.strip))
      ptx::inline_throws(module);
    ptx::place_grid_constants(module);
    ptx::keep_guards_of_shifts(module);
    ptx::drop_registers_of_variables(module);
    for (llvm::Function *kernel : launched_kernels(module))
      kernel->setLinkage(llvm::GlobalValue::ExternalLinkage); // visible, as CUDA's device runtime has them
    return {};
  }

  bool is_intrinsic(std::string_view function) const override {
    if (function.starts_with("llvm."))
      return std::none_of(NoLowering.begin(), NoLowering.end(),
                          [&](std::string_view missing) { return function.starts_with(missing); });
    return std::find(DeviceFunctions.begin(), DeviceFunctions.end(), function) != DeviceFunctions.end();
  }

  bool needs_cooperative_launch(const llvm::Module &module) const override {
    return ptx::reads_grid_barrier(module);
  }

  Result<void> validate_ir(const CompilerConfig &config, const llvm::Module &module) const override {
    const llvm::Function *entry = find_entry(module);
    if (!config.kernel || !entry) return {};
    const llvm::DataLayout &layout = module.getDataLayout();
    uint64_t bytes = 0;
    for (const llvm::Argument &argument : entry->args()) {
      llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
      bytes = llvm::alignTo(bytes, layout.getABITypeAlign(type)) + layout.getTypeAllocSize(type);
    }
    const PtxOptions &options = config.target.get<PtxOptions>();
    const uint64_t most = max_parameter_bytes(options.sm, isa_of(options));
    if (bytes > most)
      return make_error(ErrorCode::KernelError,
                        fmt::format("the parameters of the kernel take {} bytes; {} with PTX ISA {} "
                                    "has space for {}",
                                    bytes, cpu(config.target), isa_text(isa_of(options)), most));
    if (uint64_t shared = static_shared_bytes(module); shared > max_static_shared)
      return make_error(ErrorCode::KernelError,
                        fmt::format("the kernel's static shared memory takes {} bytes; there is space for {}",
                                    shared, max_static_shared),
                        {}, "use dynamic shared memory for more");
    return {};
  }

  Result<std::unique_ptr<Assembler>> make_assembler() const override { return ptx::find_assembler(); }

  Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const override {
    return ptx::stamp_files(ptx::renumber_call_sites(std::move(text)));
  }
};

} // namespace

const Target &ptx_target() {
  static const PtxTarget target; // immutable
  return target;
}

} // namespace kiln
