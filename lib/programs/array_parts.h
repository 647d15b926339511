// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Array functions that only programs have: constructors, concatenation, sorting.
#pragma once

#include "library.h"

namespace kiln::arrays {

/// Iteration of `for i in 1:n`: an iteration over a range of Int64 calls no library method.
void add_range_iteration(Library &l);
/// Array{T,N}(undef, dims...), Vector{T}(), Array(items), Vector{T}(items). The type is the first argument.
Result<Value> construct(Library &l, Args args);
/// Concatenates along dimension `along`, from 0. Null `element`: the promoted type.
Result<Value> concatenate(Library &l, size_t along, Args parts, TypeRef element);
/// Stable order of the elements. If `lt` is not a function: by isless.
Result<std::vector<int64_t>> sorted_order(Library &l, const std::vector<Value> &keys, const Value &lt,
                                          bool reverse);

} // namespace kiln::arrays
