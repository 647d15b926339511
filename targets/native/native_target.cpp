// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument.h"
#include "machine.h"
#include "native.h"
#include "passes.h"

#include <kiln/abi.h>

#include <algorithm>
#include <array>

namespace kiln {
namespace {

/// Functions of the C library and libm that compiled code may call. The loader finds them in the process.
constexpr std::array LibraryFunctions{
    "acos",     "acosh",     "asin",   "asinh",  "atan",   "atan2",   "atanh",  "cbrt",      "ceil",
    "copysign", "cos",       "cosh",   "erf",    "erfc",   "exp",     "exp10",  "exp2",      "expm1",
    "fabs",     "fdim",      "floor",  "fma",    "fmax",   "fmin",    "fmod",   "frexp",     "hypot",
    "ilogb",    "j0",        "j1",     "jn",     "ldexp",  "lgamma",  "log",    "log10",     "log1p",
    "log2",     "logb",      "lrint",  "lround", "llrint", "llround", "modf",   "nearbyint", "nextafter",
    "pow",      "remainder", "rint",   "round",  "scalbn", "sin",     "sincos", "sinh",      "sqrt",
    "tan",      "tanh",      "tgamma", "trunc",  "y0",     "y1",      "yn"};
/// Functions without a variant for float arguments. Host code of programs calls the last three
/// (runtime/host/host_arrays.h).
constexpr std::array PlainFunctions{"memcpy",
                                    "memmove",
                                    "memset",
                                    "memcmp",
                                    "printf",
                                    "puts",
                                    "putchar",
                                    "malloc",
                                    "free",
                                    "clock_gettime",
                                    "kiln_host_array",
                                    "kiln_grow_array",
                                    "kiln_out_of_bounds"};

class NativeTarget final : public Target {
public:
  std::string_view name() const override { return "native"; }
  std::string_view version() const override { return "1"; }

  Result<TargetSpec> check(TargetSpec spec) const override {
    KILN_CHECK(check_text("NativeOptions::cpu", spec.get<NativeOptions>().cpu));
    KILN_CHECK(check_text("NativeOptions::features", spec.get<NativeOptions>().features));
    return native::resolve_cpu(std::move(spec));
  }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<NativeOptions>(read);
  }
  std::optional<TargetSpec> for_architecture(const TargetSpec &spec, std::string_view arch) const override {
    TargetSpec other = NativeOptions{.cpu = std::string(arch)};
    other.copy_common_options(spec);
    return other;
  }
  std::string triple(const TargetSpec &spec) const override { return native::triple_of(machine(spec)); }
  std::string cpu(const TargetSpec &spec) const override {
    const std::string &cpu = spec.get<NativeOptions>().cpu;
    return cpu == native::generic_aarch64 ? "generic" : cpu;
  }
  std::string features(const TargetSpec &spec) const override {
    const NativeOptions &options = spec.get<NativeOptions>();
    std::string features = options.features;
    // The instructions of these features that convert to BFloat16 flush subnormal numbers to zero, in every
    // mode (Intel's manual, VCVTNEPS2BF16). The levels x86-64-v2 to -v4 lack them. An empty name stands for
    // no processor yet.
    if (machine(spec) == native::Machine::X86_64 && !options.cpu.empty() &&
        !options.cpu.starts_with("x86-64"))
      features += features.empty() ? "-avx512bf16,-avxneconvert" : ",-avx512bf16,-avxneconvert";
    return features;
  }
  std::string data_layout(const TargetSpec &spec) const override { return native::layout_of(machine(spec)); }

  TargetCapabilities capabilities(const TargetSpec &) const override {
    return {.runs_kernels_on_host = true,
            .optimizes_code_from = 2}; // as in Julia: at -O1, code generation takes two thirds of a compile
  }

  Result<void> prepare_job(const CompilerConfig &config) const override {
    if (config.invariant_arguments)
      return usage_error("invariant_arguments means nothing to the native target");
    if (config.coarsen) return usage_error("coarsen means nothing to the native target: it is for ptx");
    for (const LinkedFile &file : config.linked)
      if (!is_llvm_ir(file))
        return input_error(fmt::format(
            "{} cannot be linked into a job for the CPU: it is code for GPUs or an object; the CPU takes LLVM bitcode or text",
            file.name));
    return {};
  }

  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Emitted)
      return {{"recursion", native::check_recursion},
              {"checks", native::check_accesses},
              {"alignment", native::limit_alignment},
              {"AArch64 forms", native::adapt_to_aarch64},
              {"cancellation points", native::add_cancellation_points},
              {"device launches", native::call_launches},
              {"shared memory", native::place_shared_memory}};
    return {{"math calls", native::keep_math_calls}, {"native grid", native::build_block_function}};
  }

  bool is_intrinsic(std::string_view function) const override {
    if (function.starts_with("llvm.")) return !function.starts_with("llvm.nvvm.");
    // functions on values of the interpreter (runtime/host/host_references.h)
    if (function.starts_with("kiln.reference.") || function.starts_with("kiln.string_")) return true;
    if (function == abi::NativeThrowSymbol || function == abi::NativeFramesSymbol ||
        function == abi::NativeRoundsSymbol || function == abi::NativeAccessSymbol ||
        function == abi::NativeOverdueSymbol || function == native::NativeLaunchSymbol ||
        function == native::NativeTensorMemorySymbol)
      return true;
    auto listed = [](const auto &names, std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    if (listed(PlainFunctions, function) || listed(LibraryFunctions, function)) return true;
    return function.ends_with('f') && listed(LibraryFunctions, function.substr(0, function.size() - 1));
  }

private:
  static native::Machine machine(const TargetSpec &spec) {
    return native::machine_of(spec.get<NativeOptions>().cpu);
  }
};

} // namespace

const Target &native_target() {
  static const NativeTarget target; // immutable
  return target;
}

} // namespace kiln
