// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays (storage, elements, indices) and names of Base, for functions of the interpreter and of
// programs.
#pragma once

#include "interp.h"

namespace kiln {

/// Value of a name in Base. Errors: Internal for an unknown name.
KILN_PROGRAMS_API Result<Value> find_base(Interpreter &interpreter, std::string_view name);
/// Type of a name in Base; null: none.
KILN_PROGRAMS_API TypeRef find_base_type(Interpreter &interpreter, std::string_view name);
/// Calls a function of Base.
KILN_PROGRAMS_API Result<Value> call_base(Interpreter &interpreter, std::string_view function,
                                          std::span<const Value> args);

/// Value of an array: its type is Array{element, N}.
KILN_PROGRAMS_API Value array_value(TypeContext &types, std::shared_ptr<HostArray> array);
/// Charges `count` elements to the interpreter's memory limit. Error: OutOfMemoryError.
Result<void> charge_elements(Interpreter &interpreter, TypeRef element, uint64_t count);
/// Creates an array of zeros, or of unset elements. Errors: ArgumentError (dimensions), OutOfMemoryError (the
/// interpreter's limit).
KILN_PROGRAMS_API Result<Value> make_array(Interpreter &interpreter, TypeRef element,
                                           std::vector<int64_t> dims);
/// Creates an array of these values, converted to `element`; null: their joined type. Without dimensions: a
/// vector.
KILN_PROGRAMS_API Result<Value> make_array_from(Interpreter &interpreter, std::span<const Value> values,
                                                TypeRef element = nullptr,
                                                std::optional<std::vector<int64_t>> dims = {});
/// Copies an array; unset elements stay unset.
KILN_PROGRAMS_API Result<Value> copy_array(Interpreter &interpreter, const Value &array);
/// Element at a linear index from 0. Errors: BoundsError, UndefRefError.
KILN_PROGRAMS_API Result<Value> get_element(TypeContext &types, const HostArray &array, int64_t index);
/// Stores a value of the element type. Errors: BoundsError.
KILN_PROGRAMS_API Result<void> set_element(TypeContext &types, HostArray &array, int64_t index,
                                           const Value &value);
/// Inserts values before a linear index of a vector, converted to the element type.
Result<void> insert_elements(Interpreter &interpreter, HostArray &vector, int64_t index,
                             std::span<const Value> values);
void erase_elements(TypeContext &types, HostArray &vector, int64_t index, int64_t count);
/// Elements of an array or tuple, or all items of an iterator. Errors: InterruptException.
KILN_PROGRAMS_API Result<std::vector<Value>> collect_elements(Interpreter &interpreter, const Value &items);
/// Element type of an array with elements of both types, like promote_typejoin.
KILN_PROGRAMS_API TypeRef join_types(TypeContext &types, TypeRef a, TypeRef b);

/// Integer of any type as int64_t; for UInt64, its bits. No value: another type, or 128 bits that do not fit.
KILN_PROGRAMS_API std::optional<int64_t> integer_of(TypeContext &types, const Value &value);
/// Dimensions given as integers or as a tuple of integers. No value: other arguments.
KILN_PROGRAMS_API std::optional<std::vector<int64_t>> read_dims(TypeContext &types,
                                                                std::span<const Value> args);
/// A BoundsError. A colon is shown as the range that it selects, as in Julia.
KILN_PROGRAMS_API Error array_bounds_error(Interpreter &interpreter, const Value &array,
                                           std::span<const Value> indices);

/// One index of A[...] as a list of positions.
struct ArrayIndex {
  std::vector<int64_t> places; ///< from 0
  std::vector<int64_t> dims;   ///< dimensions of the result
  bool is_scalar = false;
  size_t num_dims = 1; ///< number of array dimensions that the index covers
};
/// Position of one element, from 0. No value: an index is not an integer, or is out of bounds.
std::optional<int64_t> find_place(TypeContext &types, const HostArray &array, std::span<const Value> indices);
/// Reads integers, ranges, lists, masks, colons, Cartesian indices, and index types of packages. Errors:
/// BoundsError, ArgumentError (unsupported index).
Result<std::vector<ArrayIndex>> read_indices(Interpreter &interpreter, const Value &array,
                                             std::span<const Value> indices);
/// Positions of all selected elements, first index fastest.
std::vector<int64_t> list_places(const HostArray &array, std::span<const ArrayIndex> indices);

} // namespace kiln
