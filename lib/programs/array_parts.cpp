// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "array_parts.h"

#include <algorithm>
#include <cmath>

namespace kiln::arrays {

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
                next = int64_t(uint64_t(a[1].low_bits()) + 1); // may wrap, as in Julia
              } else if (stop < next) {
                return types.nothing();
              }
              const Value item = types.int64(next);
              const TypeRef both[] = {int64, int64};
              return Value::structure(types.tuple(std::span<const TypeRef>(both)), {item, item});
            });
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
    return make_array(l.interpreter, element ? element : types.builtins().Any,
                      std::vector<int64_t>(size_t(rank->value().low_bits()), 0));
  }
  const std::string first = to_string(rest[0].type());
  if (first.ends_with("UndefInitializer") || rest[0].type() == types.builtins().Nothing ||
      first.ends_with("Missing")) {
    auto dims = read_dims(types, rest.subspan(1));
    if (!dims || (!element && !rank)) return Value(); // Array(undef, n): a method must choose the type
    if (rank && int64_t(rank->value().low_bits()) != int64_t(dims->size())) return Value();
    KILN_TRY(Value made,
             make_array(l.interpreter, element ? element : types.builtins().Any, std::move(*dims)));
    if (!first.ends_with("UndefInitializer"))
      for (Value &v : made.as_array()->values) v = rest[0];
    return made;
  }
  if (rest.size() != 1 || rest[0].is_primitive() || rest[0].as_string() || rest[0].as_object())
    return Value();
  if (const DataType *given = rest[0].type()->as<DataType>(); given && given->is_tuple()) return Value();
  if (!rest[0].as_array()) { // a method for this type, such as that of a package
    const TypeRef call[] = {types.type_of_type(args[0].as_type()), rest[0].type()};
    KILN_TRY(MethodMatch match,
             l.world.lookup_method(types.tuple(std::span<const TypeRef>(call)), l.world.age(), {}));
    if (match.method &&
        !is_subtype(types, types.tuple({call[0], types.builtins().Any}), match.method->signature))
      return Value();
  }
  KILN_TRY(Value collected, l.program.call("collect", rest));
  if (!collected.as_array()) return Value();
  if (rank && size_t(rank->value().low_bits()) != collected.as_array()->dims.size()) return Value();
  KILN_TRY(auto elements, collect_elements(l.interpreter, collected));
  return make_array_from(l.interpreter, elements, element ? element : collected.as_array()->element,
                         collected.as_array()->dims);
}

namespace {
struct Sizes {
  std::vector<int64_t> dims;
  const HostArray *array;
  Value scalar;
};
} // namespace

/// Concatenates arrays and numbers along dimension `along`, counted from 0.
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
  bool only_numbers = true; // before part k
  for (size_t k = 0; k < all.size(); ++k) {
    all[k].dims.resize(rank, 1);
    total += all[k].dims[along];
    TypeRef own = all[k].array ? all[k].array->element : all[k].scalar.type();
    if (!element) {
      if (!of || of == own)
        of = own;
      else {
        Value two[] = {Value::type_value(types, of), Value::type_value(types, own)};
        auto promoted = l.program.call("promote_type", two);
        of = promoted.ok() && promoted->as_type() ? promoted->as_type() : join_types(types, of, own);
      }
    }
    only_numbers = only_numbers && (k == 0 || !all[k - 1].array);
    for (size_t d = 0; d < rank; ++d)
      if (k == 0 || (only_numbers && d > along))
        dims[d] = all[k].dims[d]; // numbers before the first array fill its rows, as in Julia's cat
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
        KILN_TRY(Value v, get_element(types, *part.array, o * count + i));
        values.push_back(std::move(v));
      }
    }
  return make_array_from(l.interpreter, values, of, std::move(dims));
}

/// True if a < b by `lt`. If `lt` is not a function, by isless: numbers and strings are compared here, others
/// in Julia.
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
  auto result = lt && lt.type() != l.types.builtins().Nothing ? l.interpreter.call(lt, two)
                                                              : l.program.call("isless", two);
  if (!result.ok()) return result.take_error();
  return bool(result->low_bits() & 1);
}

/// Returns the stable order of the keys by merge sort. std::stable_sort cannot stop at an error of the
/// comparison.
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
