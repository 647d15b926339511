// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that only host programs can call, and what kernels can use instead.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Hint for a kernel that calls `name`; empty: there is no hint.
std::string_view host_function_hint(std::string_view name);

/// Hint for a feature that code cannot use, by the text of its error; empty: there is no hint.
std::string_view feature_hint(std::string_view feature);

/// True for a module of Julia, of CUDA.jl or of its companions, and for their submodules.
bool is_library_module(std::string_view full_name);

/// Advice for a name that one of these modules has in Julia and lacks in Kiln (julia_names.def). Empty for
/// others.
std::string missing_julia_name(std::string_view name, std::span<const std::string_view> modules);

} // namespace kiln
