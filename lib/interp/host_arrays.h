// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays (storage, elements, indices) and names of Base, for functions of the interpreter and of
// programs.
#pragma once

#include "interp.h"

namespace kiln {

/// The value that a name of Base is bound to. Errors: Internal if there is no such name.
KILN_PROGRAMS_API Result<Value> find_base(Interpreter &interpreter, std::string_view name);
/// The type that a name of Base is bound to; null: none.
KILN_PROGRAMS_API TypeRef find_base_type(Interpreter &interpreter, std::string_view name);
/// Calls a function of Base.
KILN_PROGRAMS_API Result<Value> call_base(Interpreter &interpreter, std::string_view function,
                                          std::span<const Value> args);

/// The value of an array: its type is Array{element, N}.
KILN_PROGRAMS_API Value array_value(TypeContext &types, std::shared_ptr<HostArray> array);
/// Counts more elements of an array against the interpreter's limit. Error: OutOfMemoryError.
Result<void> charge_elements(Interpreter &interpreter, TypeRef element, uint64_t count);
/// A new array of zeros or of unset elements.
/// Errors: ArgumentError (dimensions), OutOfMemoryError (the interpreter's limit).
KILN_PROGRAMS_API Result<Value> make_array(Interpreter &interpreter, TypeRef element,
                                           std::vector<int64_t> dims);
/// A new array of these values, converted to `element`. Null: their joined type. No dimensions: a vector.
KILN_PROGRAMS_API Result<Value> make_array_from(Interpreter &interpreter, std::span<const Value> values,
                                                TypeRef element = nullptr,
                                                std::optional<std::vector<int64_t>> dims = {});
/// A new array with the same elements; unset elements stay unset.
KILN_PROGRAMS_API Result<Value> copy_array(Interpreter &interpreter, const Value &array);
/// The element at a linear index from 0. Errors: BoundsError, UndefRefError.
KILN_PROGRAMS_API Result<Value> get_element(TypeContext &types, const HostArray &array, int64_t index);
/// Stores a value of the element type. Errors: BoundsError.
KILN_PROGRAMS_API Result<void> set_element(TypeContext &types, HostArray &array, int64_t index,
                                           const Value &value);
/// Inserts values before a linear index of a vector, each converted to the element type.
Result<void> insert_elements(Interpreter &interpreter, HostArray &vector, int64_t index,
                             std::span<const Value> values);
void erase_elements(TypeContext &types, HostArray &vector, int64_t index, int64_t count);
/// The elements of an array or tuple, or all items of an iterator. Errors: InterruptException.
KILN_PROGRAMS_API Result<std::vector<Value>> collect_elements(Interpreter &interpreter, const Value &items);
/// The type that an array of both types has, as promote_typejoin.
KILN_PROGRAMS_API TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

/// An integer of any type. UInt64: its bits. No value: another type, or 128 bits that do not fit.
KILN_PROGRAMS_API std::optional<int64_t> integer_of(TypeContext &types, const Value &value);
/// Dimensions: integers, or one tuple of them. No value: another kind of argument.
KILN_PROGRAMS_API std::optional<std::vector<int64_t>> read_dims(TypeContext &types,
                                                                std::span<const Value> args);
/// A BoundsError; shows a colon as the range that it means, as Julia does.
KILN_PROGRAMS_API Error array_bounds_error(Interpreter &interpreter, const Value &array,
                                           std::span<const Value> indices);

/// One index of A[...] as a list of places.
struct ArrayIndex {
  std::vector<int64_t> places; ///< from 0
  std::vector<int64_t> dims;   ///< of the result
  bool is_scalar = false;
  size_t num_dims = 1; ///< dimensions of the array that the index covers
};
/// The place of one element, from 0. No value: an index is no integer, or is out of bounds.
std::optional<int64_t> find_place(TypeContext &types, const HostArray &array, std::span<const Value> indices);
/// Reads integers, ranges, lists, masks, colons, Cartesian indices, and index types of packages.
/// Errors: BoundsError, ArgumentError (an index of another kind).
Result<std::vector<ArrayIndex>> read_indices(Interpreter &interpreter, const Value &array,
                                             std::span<const Value> indices);
/// The places of all elements that the indices select, the first index fastest.
std::vector<int64_t> list_places(const HostArray &array, std::span<const ArrayIndex> indices);

} // namespace kiln
