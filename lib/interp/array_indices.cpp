// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of host arrays: integers, ranges, lists, masks, colons, Cartesian indices, and index types of
// packages.
#include "fold.h"
#include "host_arrays.h"

#include <algorithm>

namespace kiln {

namespace {

using Args = std::span<const Value>;

/// Returns the integers of a CartesianIndex; null if `v` has another type.
const std::vector<Value> *cartesian_ints(const Value &v) {
  const std::vector<Value> *fields = v.fields();
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  return type && type->name().name.text() == "CartesianIndex" && fields && fields->size() == 1
             ? (*fields)[0].fields()
             : nullptr;
}

bool is_colon(const Value &v) { return v.type() && v.fields() && v.fields()->empty() && to_string(v) == ":"; }

/// True for a number, type, string or symbol: values without elements and fields.
bool is_plain(const Value &v) { return v.is_primitive() || v.as_type() || v.as_string() || v.as_symbol(); }

/// True for an index whose type a package defines, with its own method of to_indices.
bool is_own_index(Interpreter &interpreter, const Value &v) {
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  if (!type || is_plain(v) || v.as_array() || type->is_tuple()) return false;
  TypeContext &types = interpreter.world().types();
  TypeRef plain = find_base_type(interpreter, "PlainIndex"), number = find_base_type(interpreter, "Number");
  return plain && number && !is_subtype(types, type, plain) && !is_subtype(types, type, number);
}

/// Returns the integer of an index. A package's own integers are converted by to_index.
Result<std::optional<int64_t>> read_integer(Interpreter &interpreter, const Value &v) {
  TypeContext &types = interpreter.world().types();
  if (v.type() == types.builtins().Bool) return std::optional<int64_t>();
  const auto i = integer_of(types, v);
  if (i || !v.fields() || !is_subtype(types, v.type(), types.builtins().Integer)) return i;
  KILN_TRY(Value converted, call_base(interpreter, "to_index", std::span(&v, 1)));
  return integer_of(types, converted);
}

/// Number of array dimensions that an index covers: one, or several for a mask or a list of Cartesian
/// indices.
size_t covered_dims(const Value &v) {
  const HostArray *list = v.as_array();
  const DataType *element = list && list->element ? list->element->as<DataType>() : nullptr;
  if (!element) return 1;
  if (element->name().name.text() == "CartesianIndex" && !element->params().empty())
    if (const auto *count = element->params()[0]->as<ConstType>()) return count->value().low_bits();
  return element->name().name.text() == "Bool" ? std::max<size_t>(list->dims.size(), 1) : 1;
}

/// True if the dimensions of a mask equal those of the array from dimension `first` on. A mask with one
/// dimension is not checked.
bool fits_mask(const HostArray &a, const HostArray &mask, size_t first) {
  return mask.dims.size() == 1 ||
         (first + mask.dims.size() <= a.dims.size() &&
          std::equal(mask.dims.begin(), mask.dims.end(), a.dims.begin() + ptrdiff_t(first)));
}

/// Converts one integer per dimension to a linear index from 0. None: an index is not an integer, or is out
/// of bounds.
std::optional<int64_t> place_of(TypeContext &types, std::span<const int64_t> dims, Args ints) {
  int64_t place = 0, stride = 1;
  for (size_t d = 0; d < ints.size(); ++d) {
    const int64_t extent = d < dims.size() ? dims[d] : 1;
    const auto i = integer_of(types, ints[d]);
    if (!i || *i < 1 || *i > extent || ints[d].type() == types.builtins().Bool) return std::nullopt;
    place += (*i - 1) * stride;
    stride *= extent;
  }
  return place;
}

Error index_kind_error(const Value &v) {
  return {ErrorCode::ArgumentError, fmt::format("invalid index: {} of type {}", spell(v), spell(v.type()))};
}

/// Index for messages: a colon becomes the range that it selects.
Value shown_index(Interpreter &interpreter, const HostArray &array, Args indices, size_t at) {
  const Value &index = indices[at];
  if (!is_colon(index)) return index;
  TypeContext &types = interpreter.world().types();
  TypeRef params[] = {types.builtins().Int64};
  auto range = types.apply(find_base_type(interpreter, "OneTo"), params);
  if (!range.ok()) return index;
  const int64_t extent = indices.size() == 1 ? array.length() : at < array.dims.size() ? array.dims[at] : 1;
  return Value::structure(*range, {types.int64(extent)});
}

} // namespace

Error array_bounds_error(Interpreter &interpreter, const Value &array, Args indices) {
  std::vector<Value> all;
  for (size_t i = 0; i < indices.size(); ++i)
    all.push_back(array.as_array() ? shown_index(interpreter, *array.as_array(), indices, i) : indices[i]);
  return interpreter.bounds_error(array, tuple_value(interpreter.world().types(), all));
}

std::optional<int64_t> find_place(TypeContext &types, const HostArray &array, Args indices) {
  if (indices.size() == 1) {
    const int64_t length = array.length();
    return place_of(types, std::span(&length, 1), indices);
  }
  return indices.size() < array.dims.size() ? std::nullopt : place_of(types, array.dims, indices);
}

std::vector<int64_t> list_places(const HostArray &a, std::span<const ArrayIndex> indices) {
  std::vector<int64_t> places{0};
  int64_t stride = 1;
  size_t dimension = 0;
  std::vector<int64_t> inner;
  for (const ArrayIndex &index : indices) {
    inner.swap(places);
    places.clear();
    places.reserve(inner.size() * index.places.size());
    for (int64_t outer : index.places)
      for (int64_t place : inner) places.push_back(place + outer * stride);
    for (size_t d = 0; d < index.num_dims && dimension < a.dims.size(); ++d) stride *= a.dims[dimension++];
  }
  return places;
}

Result<std::vector<ArrayIndex>> read_indices(Interpreter &interpreter, const Value &array, Args given) {
  TypeContext &types = interpreter.world().types();
  const HostArray &a = *array.as_array();
  std::vector<Value> flat;
  if (std::ranges::any_of(given, [&](const Value &v) { return is_own_index(interpreter, v); })) {
    Value args[] = {array, tuple_value(types, given)};
    KILN_TRY(Value plain, call_base(interpreter, "to_indices", args));
    const std::vector<Value> indices = plain.fields() ? *plain.fields() : std::vector<Value>{plain};
    for (const Value &v : indices)
      if (is_own_index(interpreter, v)) return index_kind_error(v);
    return read_indices(interpreter, array, indices);
  }
  for (const Value &v : given) { // CartesianIndex{N} stands for N integers
    if (const std::vector<Value> *ints = cartesian_ints(v))
      flat.insert(flat.end(), ints->begin(), ints->end());
    else
      flat.push_back(v);
  }
  std::vector<ArrayIndex> all;
  size_t dimension = 0; // first array dimension that index k covers
  for (size_t k = 0; k < flat.size(); ++k) {
    const Value &v = flat[k];
    ArrayIndex index;
    const size_t first = dimension;
    dimension += index.num_dims = covered_dims(v);
    int64_t extent = 1;
    for (size_t d = first; d < a.dims.size(); ++d)
      if (d < dimension || flat.size() == 1) extent *= a.dims[d];
    KILN_TRY(const auto i, read_integer(interpreter, v));
    if (i) {
      index.is_scalar = true;
      index.places = {std::max<int64_t>(*i, 0) - 1};
    } else if (is_colon(v)) {
      for (int64_t i = 0; i < extent; ++i) index.places.push_back(i);
      index.dims = {extent};
    } else if (is_plain(v)) {
      return index_kind_error(v);
    } else {
      KILN_TRY(auto items, collect_elements(interpreter, v));
      const HostArray *list = v.as_array();
      const bool is_mask = list ? list->element == types.builtins().Bool
                                : !items.empty() && items[0].type() == types.builtins().Bool;
      if (is_mask && (int64_t(items.size()) != extent || (list && !fits_mask(a, *list, first))))
        return array_bounds_error(interpreter, array, given);
      for (size_t i = 0; i < items.size(); ++i) {
        if (const std::vector<Value> *ints = cartesian_ints(items[i])) {
          const auto place =
              place_of(types, std::span(a.dims).subspan(std::min(first, a.dims.size())), *ints);
          if (!place) return array_bounds_error(interpreter, array, given);
          index.places.push_back(*place);
          continue;
        }
        std::optional<int64_t> n = integer_of(types, items[i]);
        if (!is_mask) {
          KILN_TRY(n, read_integer(interpreter, items[i]));
        }
        if (!n) return index_kind_error(items[i]);
        if (!is_mask)
          index.places.push_back(std::max<int64_t>(*n, 0) - 1);
        else if (*n)
          index.places.push_back(int64_t(i));
      }
      index.dims = {int64_t(index.places.size())};
      if (list && !is_mask) index.dims = list->dims;
      if (TypeRef abstract = list || is_mask ? nullptr : find_base_type(interpreter, "AbstractArray");
          abstract && is_subtype(types, v.type(), abstract)) {
        KILN_TRY(Value size, call_base(interpreter, "size", std::span(&v, 1)));
        if (auto dims = read_dims(types, std::span(&size, 1))) index.dims = *dims;
      }
    }
    for (int64_t i : index.places)
      if (i < 0 || i >= extent) return array_bounds_error(interpreter, array, given);
    all.push_back(std::move(index));
  }
  // A single index is linear; if there are several, dimensions without an index must have length 1.
  if (flat.size() != 1)
    for (size_t d = dimension; d < a.dims.size(); ++d)
      if (a.dims[d] != 1) return array_bounds_error(interpreter, array, given);
  return all;
}

} // namespace kiln
