// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for arrays that only programs have: constructors, concatenation, sorting.
#pragma once

#include "library.h"

namespace kiln::arrays {

/// Binds `iterate` for ranges of Int64, so that `for i in 1:n` calls no Julia method of the library.
void add_range_iteration(Library &l);
/// Implements Array{T,N}(undef, dims...), Vector{T}(), Array(items) and Vector{T}(items). The type is the
/// first argument.
Result<Value> construct(Library &l, Args args);
/// Concatenates arrays and numbers along dimension `along`, counted from 0. Null `element`: the promoted
/// type.
Result<Value> concatenate(Library &l, size_t along, Args parts, TypeRef element);
/// Returns the stable order of the keys. If `lt` is not a function, isless compares them.
Result<std::vector<int64_t>> sorted_order(Library &l, const std::vector<Value> &keys, const Value &lt,
                                          bool reverse);

} // namespace kiln::arrays
