// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of arrays are made of: elements, indices, types that several have in common.
#pragma once

#include "library.h"

namespace kiln::arrays {

/// What two types have in common, as promote_typejoin.
TypeRef join(TypeContext &types, TypeRef a, TypeRef b);
/// `element` null: what the values have in common.
Result<Value> array_of(Library &l, const std::vector<Value> &values, TypeRef element,
                       std::vector<int64_t> dims);
/// What `for` goes through.
Result<std::vector<Value>> elements_of(Library &l, const Value &items);
Error bounds_error(Library &l, const Value &array, Args indices);

struct Index {
  std::vector<int64_t> at; ///< from 0
  std::vector<int64_t> dims;
  bool is_scalar = false;
  size_t span = 1; ///< dimensions of the array that it goes through
};

/// What `for i in 1:n` goes through: a turn of a range of Int64 costs no call of the library's methods.
void add_range_iteration(Library &l);
/// Indices of an array as lists; no value: some index is of another kind.
Result<std::optional<std::vector<Index>>> read_indices(Library &l, const Value &array, Args given);

/// Calls `visit` with the linear place of each element that the indices name, the first running fastest.
template <class Visit>
Result<void> for_each(const HostArray &a, const std::vector<Index> &indices, Visit visit) {
  std::vector<size_t> at(indices.size(), 0);
  for (const Index &index : indices)
    if (index.at.empty()) return {};
  for (;;) {
    int64_t place = 0, stride = 1;
    size_t dimension = 0;
    for (size_t k = 0; k < indices.size(); ++k) {
      place += indices[k].at[at[k]] * stride;
      for (size_t s = 0; s < indices[k].span && dimension < a.dims.size(); ++s) stride *= a.dims[dimension++];
    }
    KILN_CHECK(visit(place));
    size_t k = 0;
    while (k < at.size() && ++at[k] == indices[k].at.size()) at[k++] = 0;
    if (k == at.size()) return {};
  }
}

/// Integers, or one tuple of them.
std::optional<std::vector<int64_t>> dims_of(TypeContext &types, Args args);
/// Array{T,N}(undef, dims...), Vector{T}(), Array(items), Vector{T}(items); the type comes first.
Result<Value> construct(Library &l, Args args);
/// Along dimension `along`, from 0; `element` null: as promoted.
Result<Value> concatenate(Library &l, size_t along, Args parts, TypeRef element);
/// The order of the elements, stable; `lt` no function: isless.
Result<std::vector<int64_t>> sorted_order(Library &l, const std::vector<Value> &keys, const Value &lt,
                                          bool reverse);

} // namespace kiln::arrays
