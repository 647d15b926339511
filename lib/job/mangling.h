// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "job.h"

namespace kiln {

/// Mangled name of a kernel by the Itanium ABI, as in GPUCompiler.jl: `_Z6kernel5Int64` is kernel(Int64).
/// Types with parameters become templates, values become literals, and repeated components are abbreviated.
std::string mangle(TypeContext &types, const MethodInstance &source);
/// A function name with every character outside [A-Za-z0-9_] replaced by '_'.
std::string safe_name(std::string_view name);
/// Symbol of a job's entry: config.name if set, else the mangled name of a kernel, or the safe_name() of a
/// plain function.
std::string entry_name(TypeContext &types, const CompilerJob &job);

} // namespace kiln
