// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler nested in Kiln's: it turns the LLVM IR of a function into that of its derivative. Programs ask
// for one by `derivative(f, x)`, which the library text below defines as a call into a nested job; the job's
// hooks are this compiler.
#pragma once

#include <kiln/extension/llvm.h>
#include <kiln/kiln.h>

#include <atomic>

namespace derivative {

/// Forward mode, on the linked but not yet optimised module of a nested job: beside each value that depends
/// on x stands its tangent. The entry keeps its type and returns the tangent of its result. Thread-safe.
class Differentiate final : public kiln::JobHooks {
public:
  std::string name() const override { return "derivative"; }
  std::string version() const override { return "1"; } ///< part of cache keys
  kiln::Result<void> finish_linked_module(const kiln::CompilerConfig &, llvm::Module &module) const override;
  /// Number of functions that this process differentiated; the cache makes it 0 for a second process.
  static std::atomic<int> functions;
};

/// `config` for jobs whose functions call `derivative`, up to `order` calls deep: a derivative of a
/// derivative has order 2.
kiln::CompilerConfig with_derivatives(kiln::CompilerConfig config, int order = 3);

/// The library: `derivative(f, x, parameters...)` of f(x, parameters...) by x, a Float32 or Float64. A
/// function that captures values has no pointer to its code: it takes them as parameters.
inline constexpr const char *library = R"(
using Core.Intrinsics: deferred_codegen_in, pointer_call
function derivative(f::F, x::T, parameters...) where {F, T<:Union{Float32, Float64}}
    types = map(typeof, parameters)
    code = deferred_codegen_in(Val(:derivative), f, T, types...)
    return pointer_call(code, T, Tuple{T, types...}, x, parameters...)
end
)";

} // namespace derivative
