// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays (storage, elements, indices) and look-up of names in Base, for host functions of the
// interpreter and of programs.
#pragma once

#include "interp.h"

namespace kiln {

/// Returns the value of a name in module Base. Error (Internal): Base has no such name.
KILN_PROGRAMS_API Result<Value> find_base(Interpreter &interpreter, std::string_view name);
/// Returns the type of a name in module Base; null: Base has no such type.
KILN_PROGRAMS_API TypeRef find_base_type(Interpreter &interpreter, std::string_view name);
/// Calls a function of Base.
KILN_PROGRAMS_API Result<Value> call_base(Interpreter &interpreter, std::string_view function,
                                          std::span<const Value> args);

/// Wraps an array as a value, whose type is Array{element, N}.
KILN_PROGRAMS_API Value array_value(TypeContext &types, std::shared_ptr<HostArray> array);
/// Counts `count` new elements against the interpreter's memory limit. Error: OutOfMemoryError.
Result<void> charge_elements(Interpreter &interpreter, TypeRef element, uint64_t count);
/// Makes an array of zeros; elements that are no bits types are unset. Errors: ArgumentError (dimensions),
/// OutOfMemoryError (the interpreter's limit).
KILN_PROGRAMS_API Result<Value> make_array(Interpreter &interpreter, TypeRef element,
                                           std::vector<int64_t> dims);
/// Makes an array of values converted to `element`. Null `element`: the join of the values' types. No `dims`:
/// a vector.
KILN_PROGRAMS_API Result<Value> make_array_from(Interpreter &interpreter, std::span<const Value> values,
                                                TypeRef element = nullptr,
                                                std::optional<std::vector<int64_t>> dims = {});
/// Copies an array; unset elements stay unset.
KILN_PROGRAMS_API Result<Value> copy_array(Interpreter &interpreter, const Value &array);
/// Returns the element at a linear index, which counts from 0. Errors: BoundsError, UndefRefError.
KILN_PROGRAMS_API Result<Value> get_element(TypeContext &types, const HostArray &array, int64_t index);
/// Stores `value`, which must have the array's element type. Error: BoundsError.
KILN_PROGRAMS_API Result<void> set_element(TypeContext &types, HostArray &array, int64_t index,
                                           const Value &value);
/// Converts values to the vector's element type and inserts them before position `index`.
Result<void> insert_elements(Interpreter &interpreter, HostArray &vector, int64_t index,
                             std::span<const Value> values);
void erase_elements(TypeContext &types, HostArray &vector, int64_t index, int64_t count);
/// Returns the elements of an array or tuple, or all items of another iterator. Error: InterruptException.
KILN_PROGRAMS_API Result<std::vector<Value>> collect_elements(Interpreter &interpreter, const Value &items);
/// Returns the element type of an array that has elements of both types, like Julia's promote_typejoin.
KILN_PROGRAMS_API TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

/// Converts an integer of any type to int64_t; a UInt64 keeps its bits. No value: not an integer, or a
/// 128-bit integer that does not fit.
KILN_PROGRAMS_API std::optional<int64_t> integer_of(TypeContext &types, const Value &value);
/// Reads dimensions given as integers, or as one tuple of integers. No value: other arguments.
KILN_PROGRAMS_API std::optional<std::vector<int64_t>> read_dims(TypeContext &types,
                                                                std::span<const Value> args);
/// Makes a BoundsError. Its message shows a colon as the range that it selects, as Julia does.
KILN_PROGRAMS_API Error array_bounds_error(Interpreter &interpreter, const Value &array,
                                           std::span<const Value> indices);

/// One index of A[...], resolved to the positions that it selects.
struct ArrayIndex {
  std::vector<int64_t> places; ///< from 0
  std::vector<int64_t> dims;   ///< dimensions of the result
  bool is_scalar = false;
  size_t num_dims = 1; ///< array dimensions that this index covers
};
/// Linear position, from 0, of one element. No value: an index is not an integer, or is out of bounds.
std::optional<int64_t> find_place(TypeContext &types, const HostArray &array, std::span<const Value> indices);
/// Resolves the indices of A[...]: integers, ranges, lists, masks, colons, Cartesian indices, and index types
/// of packages. Errors: BoundsError, ArgumentError (unsupported index).
Result<std::vector<ArrayIndex>> read_indices(Interpreter &interpreter, const Value &array,
                                             std::span<const Value> indices);
/// Linear positions of all elements that the indices select; the first index varies fastest.
std::vector<int64_t> list_places(const HostArray &array, std::span<const ArrayIndex> indices);

} // namespace kiln
