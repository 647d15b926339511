// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of arrays that only programs have: constructors, concatenation, sorting.
#pragma once

#include "library.h"

namespace kiln::arrays {

/// What `for i in 1:n` goes through: a turn of a range of Int64 costs no call of the library's methods.
void add_range_iteration(Library &l);
/// Array{T,N}(undef, dims...), Vector{T}(), Array(items), Vector{T}(items); the type comes first.
Result<Value> construct(Library &l, Args args);
/// Along dimension `along`, from 0; `element` null: as promoted.
Result<Value> concatenate(Library &l, size_t along, Args parts, TypeRef element);
/// The order of the elements, stable; `lt` no function: isless.
Result<std::vector<int64_t>> sorted_order(Library &l, const std::vector<Value> &keys, const Value &lt,
                                          bool reverse);

} // namespace kiln::arrays
