// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_parts.h"

#include <algorithm>
#include <cmath>

namespace kiln::arrays {

/// What several types have in common, as promote_typejoin: the type itself, a Union with Nothing or Missing,
/// or the nearest supertype of both.
TypeRef join(TypeContext &types, TypeRef a, TypeRef b) {
  if (is_subtype(types, b, a)) return a;
  if (is_subtype(types, a, b)) return b;
  const TypeRef nothing = types.builtins().Nothing;
  auto is_gap = [&](TypeRef t) {
    return t == nothing || to_string(t) == "Missing" || to_string(t) == "Base.Missing";
  };
  if (is_gap(a) || is_gap(b)) {
    TypeRef parts[] = {a, b};
    return types.union_of(parts);
  }
  for (const DataType *up = a->as<DataType>(); up; up = types.super(up)->as<DataType>()) {
    if (is_subtype(types, b, up)) return up;
    if (up == types.builtins().Any) break;
  }
  return types.builtins().Any;
}

static TypeRef stored_type(const Value &v, TypeContext &types) {
  return v.as_type() ? v.type() : v.type() ? v.type() : types.builtins().Any;
}

Result<Value> array_of(Library &l, const std::vector<Value> &values, TypeRef element,
                       std::vector<int64_t> dims) {
  if (!element) {
    for (const Value &v : values)
      element = element ? join(l.types, element, stored_type(v, l.types)) : stored_type(v, l.types);
    if (!element) element = l.types.builtins().Any;
  }
  KILN_TRY(Value made, host_array(l.types, element, std::move(dims)));
  for (size_t i = 0; i < values.size(); ++i) {
    KILN_CHECK(l.check_interrupt());
    Value v = values[i];
    if (!is_subtype(l.types, v.type(), element)) {
      KILN_TRY(v, l.program.interpreter().convert(element, v));
    }
    KILN_CHECK(put_element(l.types, *made.as_array(), int64_t(i), v));
  }
  return made;
}

Result<std::vector<Value>> elements_of(Library &l, const Value &items) {
  std::vector<Value> elements;
  if (const HostArray *array = items.as_array()) {
    for (int64_t i = 0, n = array->length(); i < n; ++i) {
      KILN_CHECK(l.check_interrupt());
      KILN_TRY(Value element, element_at(l.types, *array, i));
      elements.push_back(std::move(element));
    }
    return elements;
  }
  const DataType *type = items.type()->as<DataType>();
  if (items.fields() && type && type->is_tuple()) return *items.fields();
  KILN_TRY(auto iterate, l.world.lookup(*l.world.base(), l.types.symbol("iterate"), l.world.age()));
  std::vector<Value> args{items};
  for (;;) {
    KILN_TRY(Value next, l.program.interpreter().call(*iterate, args));
    const std::vector<Value> *pair = next.fields();
    if (!pair || pair->size() != 2) return elements;
    elements.push_back((*pair)[0]);
    args = {items, (*pair)[1]};
  }
}

/// A colon as the range that it stands for, which is how Julia's errors show it.
static Value shown_index(Library &l, const HostArray &array, Args indices, size_t at) {
  const Value &index = indices[at];
  if (!index.type() || to_string(index) != ":") return index;
  TypeRef params[] = {l.types.builtins().Int64};
  auto range = l.types.apply(l.type("OneTo"), params);
  if (!range.ok()) return index;
  const int64_t extent = indices.size() == 1 ? array.length() : at < array.dims.size() ? array.dims[at] : 1;
  return Value::structure(*range, {l.types.int64(extent)});
}

Error bounds_error(Library &l, const Value &array, Args indices) {
  std::vector<Value> all;
  std::vector<TypeRef> of;
  for (size_t i = 0; i < indices.size(); ++i) {
    all.push_back(array.as_array() ? shown_index(l, *array.as_array(), indices, i) : indices[i]);
    of.push_back(all.back().type());
  }
  const TypeRef tuple = l.types.tuple(of);
  Value index = all.empty() ? l.types.singleton_value(tuple) : Value::structure(tuple, std::move(all));
  return l.program.interpreter().raise(
      l.program.interpreter().make_exception("BoundsError", {{"a", array}, {"i", index}}));
}

void add_range_iteration(Library &l) {
  TypeContext &types = l.types;
  auto name_of = [&](std::string_view name) -> const TypeName * {
    TypeRef type = l.type(name);
    while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
    return type && type->as<DataType>() ? &type->as<DataType>()->name() : nullptr;
  };
  l.add_any("iterate",
            [&types, unit = name_of("UnitRange"), one_to = name_of("OneTo")](Interpreter &,
                                                                             Args a) -> Result<Value> {
              const TypeRef int64 = types.builtins().Int64;
              const DataType *type = a.empty() || a.size() > 2 ? nullptr : a[0].type()->as<DataType>();
              const std::vector<Value> *fields = type ? a[0].fields() : nullptr;
              if (!fields || fields->empty() || (&type->name() != unit && &type->name() != one_to) ||
                  fields->back().type() != int64 || (a.size() == 2 && a[1].type() != int64))
                return Value();
              const int64_t stop = int64_t(fields->back().low_bits());
              int64_t next = &type->name() == unit ? int64_t(fields->front().low_bits()) : 1;
              if (a.size() == 2) {
                if (int64_t(a[1].low_bits()) == stop) return types.nothing();
                next = int64_t(uint64_t(a[1].low_bits()) + 1); // may wrap, as Julia's
              } else if (stop < next) {
                return types.nothing();
              }
              const Value item = types.int64(next);
              const TypeRef both[] = {int64, int64};
              return Value::structure(types.tuple(std::span<const TypeRef>(both)), {item, item});
            });
}

std::optional<std::vector<int64_t>> dims_of(TypeContext &types, Args args) {
  std::vector<Value> flat(args.begin(), args.end());
  if (flat.size() == 1 && flat[0].fields() && !flat[0].is_primitive())
    flat = std::vector<Value>(*flat[0].fields());
  std::vector<int64_t> dims;
  for (const Value &v : flat) {
    auto n = integer_of(types, v);
    if (!n) return std::nullopt;
    dims.push_back(*n);
  }
  return dims;
}

/// Array{T,N}(undef, dims...), Vector{T}(), Array(items), Vector{T}(items).
Result<Value> construct(Library &l, Args args) {
  TypeContext &types = l.types;
  TypeRef type = args[0].as_type();
  while (const auto *all = type->as<UnionAllType>()) type = all->body();
  const DataType *data = type->as<DataType>();
  TypeRef element = data->params()[0]->is<TypeVar>() ? nullptr : data->params()[0];
  const auto *rank = data->params()[1]->as<ConstType>();
  Args rest = args.subspan(1);
  if (rest.empty()) { // Vector{T}(), Vector(), Matrix{T}()
    if (!rank || (!element && rank->value().low_bits() != 1)) return Value();
    return host_array(types, element ? element : types.builtins().Any,
                      std::vector<int64_t>(size_t(rank->value().low_bits()), 0));
  }
  const std::string first = to_string(rest[0].type());
  if (first.ends_with("UndefInitializer") || rest[0].type() == types.builtins().Nothing ||
      first.ends_with("Missing")) {
    auto dims = dims_of(types, rest.subspan(1));
    if (!dims || (!element && !rank)) return Value(); // Array(undef, n) says no type
    if (rank && int64_t(rank->value().low_bits()) != int64_t(dims->size())) return Value();
    KILN_TRY(Value made, host_array(types, element ? element : types.builtins().Any, std::move(*dims)));
    if (!first.ends_with("UndefInitializer"))
      for (Value &v : made.as_array()->values) v = rest[0];
    return made;
  }
  if (rest.size() != 1 || rest[0].is_primitive() || rest[0].as_string() || rest[0].as_object() ||
      first.find("__Orthogonal") != first.npos) // thin as a Matrix
    return Value();
  if (const DataType *given = rest[0].type()->as<DataType>(); given && given->is_tuple()) return Value();
  KILN_TRY(Value collected, l.program.call("collect", rest));
  if (!collected.as_array()) return Value();
  if (rank && size_t(rank->value().low_bits()) != collected.as_array()->dims.size()) return Value();
  KILN_TRY(auto elements, elements_of(l, collected));
  return array_of(l, elements, element ? element : collected.as_array()->element, collected.as_array()->dims);
}

namespace {
struct Sizes {
  std::vector<int64_t> dims;
  const HostArray *array;
  Value scalar;
};
} // namespace

/// Concatenation along dimension `along` (from 0).
Result<Value> concatenate(Library &l, size_t along, Args parts, TypeRef element) {
  TypeContext &types = l.types;
  std::vector<Value> kept(parts.begin(), parts.end());
  std::vector<Sizes> all;
  size_t rank = along + 1;
  for (Value &part : kept) {
    const DataType *type = part.type()->as<DataType>();
    if (!part.as_array() && !part.is_primitive() && type && l.type("AbstractArray") &&
        is_subtype(types, type, l.type("AbstractArray"))) {
      KILN_TRY(part, l.program.call("collect", std::span(&part, 1)));
    }
    if (const HostArray *array = part.as_array()) {
      all.push_back({array->dims, array, {}});
      rank = std::max(rank, array->dims.size());
    } else {
      all.push_back({{}, nullptr, part});
    }
  }
  std::vector<int64_t> dims(rank, 1);
  int64_t total = 0;
  TypeRef of = element;
  for (size_t k = 0; k < all.size(); ++k) {
    all[k].dims.resize(rank, 1);
    total += all[k].dims[along];
    TypeRef own = all[k].array ? all[k].array->element : stored_type(all[k].scalar, types);
    if (!element) {
      if (!of || of == own)
        of = own;
      else {
        Value two[] = {Value::type_value(types, of), Value::type_value(types, own)};
        auto promoted = l.program.call("promote_type", two);
        of = promoted.ok() && promoted->as_type() && promoted->as_type() != types.bottom()
                 ? promoted->as_type()
                 : join(types, of, own);
      }
    }
    for (size_t d = 0; d < rank; ++d)
      if (k == 0)
        dims[d] = all[k].dims[d];
      else if (d != along && dims[d] != all[k].dims[d])
        return make_error(ErrorCode::DimensionMismatch,
                          along == 0 ? fmt::format("number of columns of each array must match (got {})",
                                                   fmt::format("({}, {})", dims[d], all[k].dims[d]))
                                     : fmt::format("number of rows of each array must match (got ({}, {}))",
                                                   dims[d], all[k].dims[d]));
  }
  dims[along] = total;
  int64_t inner = 1, outer = 1;
  for (size_t d = 0; d < along; ++d) inner *= dims[d];
  for (size_t d = along + 1; d < rank; ++d) outer *= dims[d];
  std::vector<Value> values;
  values.reserve(size_t(inner * outer * total));
  for (int64_t o = 0; o < outer; ++o)
    for (const Sizes &part : all) {
      const int64_t count = inner * part.dims[along];
      for (int64_t i = 0; i < count; ++i) {
        if (!part.array) {
          values.push_back(part.scalar);
          continue;
        }
        KILN_TRY(Value v, element_at(types, *part.array, o * count + i));
        values.push_back(std::move(v));
      }
    }
  return array_of(l, values, of ? of : types.builtins().Any, std::move(dims));
}

/// Less by isless: numbers and strings at once, all else by the language.
static Result<bool> is_less(Library &l, const Value &lt, const Value &a, const Value &b) {
  KILN_CHECK(l.check_interrupt());
  if (!lt || lt.type() == l.types.builtins().Nothing) {
    auto x = integer_of(l.types, a), y = integer_of(l.types, b);
    if (x && y && a.type() == b.type() && a.type() != l.types.builtins().UInt64) return *x < *y;
    auto u = float_of(l.types, a), v = float_of(l.types, b);
    if (u && v && a.type() == b.type())
      return std::isnan(*u)   ? false
             : std::isnan(*v) ? true
                              : *u < *v || (*u == *v && std::signbit(*u) && !std::signbit(*v));
    if (a.as_string() && b.as_string()) return *a.as_string() < *b.as_string();
  }
  Value two[] = {a, b};
  auto result = lt && lt.type() != l.types.builtins().Nothing ? l.program.interpreter().call(lt, two)
                                                              : l.program.call("isless", two);
  if (!result.ok()) return result.take_error();
  return bool(result->low_bits() & 1);
}

/// The order of the elements: stable. Not std::stable_sort, which must not meet errors half-way.
Result<std::vector<int64_t>> sorted_order(Library &l, const std::vector<Value> &keys, const Value &lt,
                                          bool reverse) {
  std::vector<int64_t> order(keys.size()), other(keys.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = int64_t(i);
  for (size_t width = 1; width < order.size(); width *= 2) {
    for (size_t begin = 0; begin < order.size(); begin += 2 * width) {
      size_t i = begin, middle = std::min(begin + width, order.size()), j = middle,
             end = std::min(begin + 2 * width, order.size());
      for (size_t k = begin; k < end; ++k) {
        bool take_second = i == middle;
        if (i < middle && j < end) {
          const Value &a = keys[size_t(order[i])], &b = keys[size_t(order[j])];
          KILN_TRY(take_second, is_less(l, lt, reverse ? a : b, reverse ? b : a));
        }
        other[k] = take_second ? order[j++] : order[i++];
      }
    }
    std::swap(order, other);
  }
  return order;
}

} // namespace kiln::arrays
