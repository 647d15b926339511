// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices of host arrays: integers, ranges, lists, masks, Cartesian indices, and what packages define.
#include "array_parts.h"

#include <algorithm>

namespace kiln::arrays {

/// The integers of a CartesianIndex; null: it is none.
static const std::vector<Value> *cartesian_ints(const Value &v) {
  const std::vector<Value> *fields = v.fields();
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  return type && type->name().name.text() == "CartesianIndex" && fields && fields->size() == 1
             ? (*fields)[0].fields()
             : nullptr;
}

static bool is_colon(const Value &v) { return v.type() && to_string(v) == ":"; }

/// Of a type that a package made for indices: it says itself what it stands for.
static bool is_own_index(Library &l, const Value &v) {
  const DataType *type = v.type() ? v.type()->as<DataType>() : nullptr;
  if (!type || v.is_primitive() || v.as_type() || v.as_string() || v.as_array() || type->is_tuple())
    return false;
  TypeRef plain = l.type("PlainIndex"), number = l.type("Number");
  return plain && number && !is_subtype(l.types, type, plain) && !is_subtype(l.types, type, number);
}

/// Dimensions of an array that an index goes through: several for masks and lists of Cartesian indices.
static size_t dimensions_taken(const Value &v) {
  const HostArray *list = v.as_array();
  const DataType *element = list && list->element ? list->element->as<DataType>() : nullptr;
  if (!element) return 1;
  if (element->name().name.text() == "CartesianIndex" && !element->params().empty())
    if (const auto *count = element->params()[0]->as<ConstType>()) return count->value().low_bits();
  return element->name().name.text() == "Bool" ? std::max<size_t>(list->dims.size(), 1) : 1;
}

/// A mask of several dimensions has those of the array from `first` on.
static bool fits_mask(const HostArray &a, const HostArray &mask, size_t first) {
  return mask.dims.size() == 1 ||
         (first + mask.dims.size() <= a.dims.size() &&
          std::equal(mask.dims.begin(), mask.dims.end(), a.dims.begin() + ptrdiff_t(first)));
}

/// The place, from 0, that a CartesianIndex names in the dimensions from `first` on; none: it is outside.
static std::optional<int64_t> place_of(Library &l, const HostArray &a, size_t first,
                                       const std::vector<Value> &ints) {
  int64_t place = 0, stride = 1;
  for (size_t d = 0; d < ints.size(); ++d) {
    const int64_t extent = first + d < a.dims.size() ? a.dims[first + d] : 1;
    const int64_t i = integer_of(l.types, ints[d]).value_or(0);
    if (i < 1 || i > extent) return std::nullopt;
    place += (i - 1) * stride;
    stride *= extent;
  }
  return place;
}

/// Indices of an array as lists; no value: some index is of another kind.
Result<std::optional<std::vector<Index>>> read_indices(Library &l, const Value &array, Args given) {
  const HostArray &a = *array.as_array();
  std::vector<Value> flat;
  if (std::ranges::any_of(given, [&](const Value &v) { return is_own_index(l, v); })) {
    std::vector<TypeRef> of;
    for (const Value &v : given) of.push_back(v.type());
    Value args[] = {array, Value::structure(l.types.tuple(of), {given.begin(), given.end()})};
    KILN_TRY(Value plain, l.program.call("to_indices", args));
    if (!plain.fields() ||
        std::ranges::any_of(*plain.fields(), [&](const Value &v) { return is_own_index(l, v); }))
      return std::optional<std::vector<Index>>();
    const std::vector<Value> indices = *plain.fields();
    return read_indices(l, array, indices);
  }
  for (const Value &v : given) { // CartesianIndex{N} stands for N integers
    if (const std::vector<Value> *ints = cartesian_ints(v))
      flat.insert(flat.end(), ints->begin(), ints->end());
    else
      flat.push_back(v);
  }
  std::vector<Index> all;
  size_t dimension = 0; // of the array, that the next index goes through
  for (size_t k = 0; k < flat.size(); ++k) {
    const Value &v = flat[k];
    Index index;
    const size_t first = dimension;
    dimension += index.span = dimensions_taken(v);
    int64_t extent = 1;
    for (size_t d = first; d < a.dims.size(); ++d)
      if (d < dimension || k + 1 == flat.size()) extent *= a.dims[d];
    if (auto i = integer_of(l.types, v); i && v.type() != l.types.builtins().Bool) {
      index.is_scalar = true;
      index.at = {*i - 1};
    } else if (is_colon(v)) {
      for (int64_t i = 0; i < extent; ++i) index.at.push_back(i);
      index.dims = {extent};
    } else if (v.is_primitive() || v.as_type() || v.as_string()) {
      return std::optional<std::vector<Index>>();
    } else {
      KILN_TRY(auto items, elements_of(l, v));
      const bool is_mask = v.as_array() && v.as_array()->element == l.types.builtins().Bool;
      if (is_mask && (int64_t(items.size()) != extent || !fits_mask(a, *v.as_array(), first)))
        return bounds_error(l, array, given);
      for (size_t i = 0; i < items.size(); ++i) {
        if (const std::vector<Value> *ints = cartesian_ints(items[i])) {
          const auto place = place_of(l, a, first, *ints);
          if (!place) return bounds_error(l, array, given);
          index.at.push_back(*place);
          continue;
        }
        auto n = integer_of(l.types, items[i]);
        if (!n) return std::optional<std::vector<Index>>();
        if (!is_mask)
          index.at.push_back(*n - 1);
        else if (*n)
          index.at.push_back(int64_t(i));
      }
      index.dims = {int64_t(index.at.size())};
      if (v.as_array() && !is_mask) index.dims = v.as_array()->dims;
      if (!v.as_array() && l.type("AbstractArray") &&
          is_subtype(l.types, v.type(), l.type("AbstractArray"))) {
        KILN_TRY(Value size, l.program.call("size", std::span(&v, 1)));
        if (auto dims = dims_of(l.types, std::span(&size, 1))) index.dims = *dims;
      }
    }
    for (int64_t i : index.at)
      if (i < 0 || i >= extent) return bounds_error(l, array, given);
    all.push_back(std::move(index));
  }
  return std::optional(std::move(all));
}

} // namespace kiln::arrays
