// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler nested in Kiln's: turns the LLVM IR of a function into its derivative. Programs call
// `derivative(f, x)`, which the library text below defines as a call into a nested job. The job's hooks are
// this compiler.
#pragma once

#include <kiln/extension/llvm.h>
#include <kiln/kiln.h>

#include <atomic>

namespace derivative {

/// Forward-mode differentiation of a nested job's linked, unoptimised module: adds a tangent to each value
/// that depends on x. The entry keeps its type and returns the tangent of its result. Thread-safe.
class Differentiate final : public kiln::JobHooks {
public:
  std::string name() const override { return "derivative"; }
  std::string version() const override { return "1"; } ///< part of cache keys
  kiln::Result<void> finish_linked_module(const kiln::CompilerConfig &, llvm::Module &module) const override;
  /// Number of functions that this process differentiated. With a filled cache it stays 0.
  static std::atomic<int> functions;
};

/// The config for jobs with calls of `derivative` nested up to `order` deep: a derivative of a derivative has
/// order 2.
kiln::CompilerConfig with_derivatives(kiln::CompilerConfig config, int order = 3);

/// The library: `derivative(f, x, parameters...)` of f(x, parameters...) with respect to x, a Float32 or
/// Float64. f must not capture values, because closures have no function pointer; pass the values as
/// parameters.
inline constexpr const char *library = R"(
using Core.Intrinsics: deferred_codegen_in, pointer_call
function derivative(f::F, x::T, parameters...) where {F, T<:Union{Float32, Float64}}
    types = map(typeof, parameters)
    code = deferred_codegen_in(Val(:derivative), f, T, types...)
    return pointer_call(code, T, Tuple{T, types...}, x, parameters...)
end
)";

} // namespace derivative
