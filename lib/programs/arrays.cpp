// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of programs: constructors, slices, elements taken and put in, concatenation, sorting.
#include "array_parts.h"

#include <algorithm>

namespace kiln {

using namespace arrays;

namespace {

constexpr int64_t worth_compiling = 64; // elements

/// The elements of an iterator, by compiled code; an empty Value: as the interpreter does it. `element` null:
/// as they are.
Result<Value> collect_compiled(Library &l, const Value &items, TypeRef element) {
  TypeContext &types = l.types;
  if (items.as_array() || items.type()->as<DataType>()->is_tuple() || !items.fields()) return Value();
  KILN_TRY(Value bound, l.program.call("__bound", std::span(&items, 1)));
  if (!bound.is_primitive() || int64_t(bound.low_bits()) < worth_compiling) return Value();
  HotCode &hot = l.program.hot;
  if (!element) element = hot.result_type("__next_of", std::span(&items, 1));
  if (!element || !types.is_isbits(element)) return Value();
  KILN_TRY(Value shape, l.program.call("__shape", std::span(&items, 1)));
  std::optional<std::vector<int64_t>> dims;
  if (shape.type() != types.builtins().Nothing) dims = dims_of(types, std::span(&shape, 1));
  if (!dims) {
    KILN_TRY(Value count, hot.run("__count_of", std::span(&items, 1)));
    if (!count) return Value();
    dims = std::vector<int64_t>{int64_t(count.low_bits())};
  }
  KILN_TRY(Value made, host_array(types, element, std::move(*dims)));
  Value args[] = {made, items};
  KILN_TRY(Value filled, hot.run("__fill_from!", args));
  return filled ? made : Value();
}

/// sorted_order of many numbers.
Result<Value> order_compiled(Library &l, const Value &keys, const Value &lt, const Value &reverse) {
  const HostArray *array = keys.as_array();
  if (!array || array->length() < worth_compiling || !l.types.is_isbits(array->element)) return Value();
  KILN_TRY(auto isless, l.world.lookup(*l.world.base(), l.types.symbol("isless"), l.world.age()));
  if (!isless) return Value();
  KILN_TRY(Value order, host_array(l.types, l.types.builtins().Int64, {array->length()}));
  KILN_TRY(Value other, host_array(l.types, l.types.builtins().Int64, {array->length()}));
  Value args[] = {order, other, keys, lt.type() == l.types.builtins().Nothing ? *isless : lt, reverse};
  KILN_TRY(Value done, l.program.hot.run("__merge_order!", args));
  return done ? order : Value();
}

} // namespace

void add_arrays(Library &l) {
  TypeContext &types = l.types;
  const auto &b = types.builtins();
  l.program.interpreter().add_host_constructor(*b.ArrayName,
                                               [&](Interpreter &, Args a) { return construct(l, a); });
  add_range_iteration(l);
  l.add_any("getindex", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.empty() || !a[0].as_array()) return Value();
    if (a.size() == 1)
      return a[0].as_array()->length() == 1 ? element_at(types, *a[0].as_array(), 0)
                                            : Result<Value>(bounds_error(l, a[0], {}));
    KILN_TRY(auto indices, read_indices(l, a[0], a.subspan(1)));
    if (!indices) return Value();
    const HostArray &array = *a[0].as_array();
    std::vector<int64_t> dims;
    bool is_scalar = true;
    for (const Index &index : *indices) {
      is_scalar &= index.is_scalar;
      dims.insert(dims.end(), index.dims.begin(), index.dims.end());
    }
    std::vector<int64_t> places;
    KILN_CHECK(for_each(array, *indices, [&](int64_t place) -> Result<void> {
      places.push_back(place);
      return {};
    }));
    if (is_scalar) return element_at(types, array, places[0]);
    KILN_TRY(Value made, host_array(types, array.element, std::move(dims)));
    HostArray &out = *made.as_array();
    const size_t size = types.is_isbits(array.element) ? layout_of(types, array.element)->size : 0;
    for (size_t i = 0; i < places.size(); ++i)
      if (size)
        std::memcpy(out.bytes.data() + i * size, array.bytes.data() + size_t(places[i]) * size, size);
      else if (!array.values.empty())
        out.values[i] = array.values[size_t(places[i])];
    return made;
  });
  l.add_any("setindex!", [&](Interpreter &i, Args a) -> Result<Value> {
    if (a.size() < 3 || !a[0].as_array()) return Value();
    KILN_TRY(auto indices, read_indices(l, a[0], a.subspan(2)));
    if (!indices) return Value();
    HostArray &array = *a[0].as_array();
    bool is_scalar = true;
    int64_t count = 1;
    for (const Index &index : *indices) {
      is_scalar &= index.is_scalar;
      count *= int64_t(index.at.size());
    }
    std::vector<Value> source;
    if (is_scalar) {
      KILN_TRY(Value converted, i.convert(array.element, a[1]));
      source.push_back(std::move(converted));
    } else {
      const DataType *type = a[1].type()->as<DataType>();
      const bool is_list = a[1].as_array() ||
                           (!a[1].is_primitive() && type && is_subtype(types, type, l.type("AbstractArray")));
      if (!is_list)
        return make_error(
            ErrorCode::ArgumentError,
            "indexed assignment with a single value to possibly many locations is not supported; perhaps use broadcasting `.=` instead?");
      KILN_TRY(source, elements_of(l, a[1]));
      if (int64_t(source.size()) != count)
        return make_error(
            ErrorCode::DimensionMismatch,
            fmt::format("tried to assign {} elements to {} destinations", source.size(), count));
      for (Value &v : source) {
        KILN_TRY(v, i.convert(array.element, v));
      }
    }
    size_t next = 0;
    KILN_CHECK(for_each(array, *indices,
                        [&](int64_t place) { return put_element(types, array, place, source[next++]); }));
    return a[0];
  });
  // __array_from(values::Vector, T or nothing, dims): elements joined to one type
  l.add("__joined_array", 3, [&](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(auto values, elements_of(l, a[0]));
    auto dims = dims_of(types, a.subspan(2));
    if (!dims) return Value();
    return array_of(l, values, a[1].as_type(), std::move(*dims));
  });
  l.add("__type_join", 2, [&](Interpreter &, Args a) -> Result<Value> {
    if (!a[0].as_type() || !a[1].as_type()) return Value();
    return Value::type_value(types, join(types, a[0].as_type(), a[1].as_type()));
  });
  // collect: with the shape of what it goes through, and one type for all elements
  l.add_any("collect", [&](Interpreter &i, Args a) -> Result<Value> {
    if (a.empty() || a.size() > 2 || (a.size() == 2 && !a[0].as_type())) return Value();
    KILN_TRY(Value compiled, collect_compiled(l, a.back(), a.size() == 2 ? a[0].as_type() : nullptr));
    if (compiled) return compiled;
    KILN_TRY(auto values, elements_of(l, a.back()));
    KILN_TRY(Value shape, l.program.call("__shape", std::span(&a.back(), 1)));
    std::vector<int64_t> dims{int64_t(values.size())};
    if (shape.fields() && shape.fields()->size() > 1)
      if (auto found = dims_of(types, std::span(&shape, 1))) dims = *found;
    TypeRef element = a.size() == 2 ? a[0].as_type() : nullptr;
    if (!element && a[0].as_array()) element = a[0].as_array()->element;
    if (!element && values.empty()) {
      KILN_TRY(Value of, l.program.call("__empty_eltype", std::span(&a.back(), 1)));
      element = of.as_type();
    }
    return array_of(l, values, element, std::move(dims));
  });
  l.add_any("map", [&](Interpreter &i, Args a) -> Result<Value> {
    if (a.size() != 2 || !a[1].as_array()) return Value();
    if (a[1].as_array()->length() >= worth_compiling) {
      KILN_TRY(Value generator, l.program.call("Generator", a));
      KILN_TRY(Value compiled, collect_compiled(l, generator, nullptr));
      if (compiled) return compiled;
    }
    KILN_TRY(auto values, elements_of(l, a[1]));
    TypeRef element = nullptr;
    if (values.empty()) {
      KILN_TRY(Value generator, l.program.call("Generator", a));
      KILN_TRY(Value of, l.program.call("__empty_eltype", std::span(&generator, 1)));
      element = of.as_type();
    }
    for (Value &v : values) {
      KILN_TRY(v, i.call(a[0], std::span(&v, 1)));
    }
    return array_of(l, values, element, a[1].as_array()->dims);
  });
  // [a, b]: of unlike things what they have in common; numbers are promoted by the language
  l.add_any("vect", [&](Interpreter &, Args a) -> Result<Value> {
    bool is_alike = true, are_numbers = true;
    for (const Value &v : a) {
      is_alike &= v.type() == a[0].type();
      are_numbers &= !v.as_type() && is_subtype(types, v.type(), l.type("Number"));
    }
    if (is_alike || are_numbers) return Value();
    return array_of(l, {a.begin(), a.end()}, nullptr, {int64_t(a.size())});
  });
  l.add_any("filter", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.size() != 2 || !a[1].as_array() || a[1].as_array()->length() < worth_compiling) return Value();
    KILN_TRY(Value filtered, l.program.call("Filtered", a));
    return collect_compiled(l, filtered, a[1].as_array()->element);
  });
  auto lists = [&](std::string_view name, auto change) {
    l.add_any(name, [&, change](Interpreter &, Args a) -> Result<Value> {
      HostArray *array = !a.empty() ? a[0].as_array() : nullptr;
      if (!array || array->dims.size() != 1) return Value();
      return change(a, *array);
    });
  };
  /// Takes elements [from, from + count) out.
  auto cut = [&types](HostArray &array, int64_t from, int64_t count) {
    if (types.is_isbits(array.element)) {
      const int64_t size = int64_t(layout_of(types, array.element)->size);
      array.bytes.erase(array.bytes.begin() + from * size, array.bytes.begin() + (from + count) * size);
    } else {
      array.values.erase(array.values.begin() + from, array.values.begin() + from + count);
    }
    array.dims[0] -= count;
  };
  for (bool is_first : {false, true})
    lists(is_first ? "popfirst!" : "pop!", [&, cut, is_first](Args a, HostArray &array) -> Result<Value> {
      if (a.size() != 1) return Value();
      if (array.dims[0] == 0) return make_error(ErrorCode::ArgumentError, "array must be non-empty");
      const int64_t at = is_first ? 0 : array.dims[0] - 1;
      KILN_TRY(Value element, element_at(types, array, at));
      cut(array, at, 1);
      return element;
    });
  lists("deleteat!", [&, cut](Args a, HostArray &array) -> Result<Value> {
    if (a.size() != 2) return Value();
    std::vector<int64_t> at;
    if (auto i = integer_of(types, a[1]))
      at.push_back(*i);
    else {
      KILN_TRY(auto items, elements_of(l, a[1]));
      for (const Value &v : items) at.push_back(integer_of(types, v).value_or(0));
    }
    std::sort(at.begin(), at.end());
    for (size_t k = at.size(); k-- > 0;) {
      if (at[k] < 1 || at[k] > array.dims[0]) return bounds_error(l, a[0], a.subspan(1));
      cut(array, at[k] - 1, 1);
    }
    return a[0];
  });
  lists("__insert", [&](Args a, HostArray &array) -> Result<Value> { // (list, place, element of its type)
    const int64_t at = int64_t(a[1].low_bits()) - 1;
    if (at < 0 || at > array.dims[0]) return bounds_error(l, a[0], a.subspan(1, 1));
    if (types.is_isbits(array.element)) {
      KILN_TRY(auto bytes, to_bytes(types, a[2]));
      array.bytes.insert(array.bytes.begin() + at * int64_t(bytes.size()), bytes.begin(), bytes.end());
    } else {
      array.values.insert(array.values.begin() + at, a[2]);
    }
    ++array.dims[0];
    return a[0];
  });
  lists("resize!", [&](Args a, HostArray &array) -> Result<Value> {
    if (a.size() != 2) return Value();
    const int64_t n = int64_t(a[1].low_bits());
    if (n < 0) return make_error(ErrorCode::ArgumentError, "new length must be ≥ 0");
    if (types.is_isbits(array.element))
      array.bytes.resize(size_t(n) * layout_of(types, array.element)->size);
    else
      array.values.resize(size_t(n));
    array.dims[0] = n;
    return a[0];
  });
  lists("empty!", [&, cut](Args a, HostArray &array) -> Result<Value> {
    cut(array, 0, array.dims[0]);
    return a[0];
  });
  // __reshaped(A, dims), which shares its bytes with A; __copied(A)
  l.add("__reshaped", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    auto dims = dims_of(types, a.subspan(1));
    if (!array || !dims) return Value();
    if (*dims == array->dims) return a[0];
    auto made = std::make_shared<HostArray>();
    made->element = array->element;
    made->bytes = array->bytes.share();
    made->values = array->values;
    made->dims = *dims;
    TypeRef params[] = {array->element, types.constant(int64_t(dims->size()))};
    return Value::array(types.data(*b.ArrayName, params), std::move(made));
  });
  l.add("__copied", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    return array ? Value::array(a[0].type(), std::make_shared<HostArray>(*array)) : Value();
  });
  // __reinterpreted(T, A, dims): shares its bytes with A
  l.add("__reinterpreted", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[1].as_array();
    TypeRef element = a[0].as_type();
    auto dims = dims_of(types, a.subspan(2));
    if (!array || !element || !dims || !types.is_isbits(element) || !types.is_isbits(array->element))
      return Value();
    auto made = std::make_shared<HostArray>();
    made->element = element;
    made->dims = *dims;
    if (uint64_t(made->length()) * layout_of(types, element)->size != array->bytes.size()) return Value();
    made->bytes = array->bytes.share();
    TypeRef params[] = {element, types.constant(int64_t(dims->size()))};
    return Value::array(types.data(*b.ArrayName, params), std::move(made));
  });
  l.add_any("__cat", [&](Interpreter &, Args a) -> Result<Value> { // (dimension, T or nothing, parts...)
    return concatenate(l, size_t(a[0].low_bits()) - 1, a.subspan(2), a[1].as_type());
  });
  // __order(keys, lt or nothing, reverse): the numbers of the elements, in order
  l.add("__order", 3, [&](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(Value compiled, order_compiled(l, a[0], a[1], a[2]));
    if (compiled) return compiled;
    KILN_TRY(auto keys, elements_of(l, a[0]));
    KILN_TRY(auto order, sorted_order(l, keys, a[1], a[2].low_bits() & 1));
    KILN_TRY(Value made, host_array(types, b.Int64, {int64_t(order.size())}));
    auto *out = reinterpret_cast<int64_t *>(made.as_array()->bytes.data());
    for (size_t i = 0; i < order.size(); ++i) out[i] = order[i] + 1;
    return made;
  });
  // Sums of machine numbers; all else is folded by the language. Pairwise, as Julia's.
  l.add("sum", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    if (!array || array->length() == 0) return Value();
    const size_t n = size_t(array->length());
    auto pairwise = [](auto &&self, const auto *x, size_t count) -> std::decay_t<decltype(*x)> {
      const size_t half = (count + 1) / 2;
      if (count > 1024) return self(self, x, half) + self(self, x + half, count - half);
      std::decay_t<decltype(*x)> s = x[0];
      for (size_t i = 1; i < count; ++i) s += x[i];
      return s;
    };
    if (array->element == b.Float64)
      return types.float64(pairwise(pairwise, reinterpret_cast<const double *>(array->bytes.data()), n));
    if (array->element == b.Float32)
      return types.float32(pairwise(pairwise, reinterpret_cast<const float *>(array->bytes.data()), n));
    if (array->element != b.Int64) return Value();
    uint64_t s = 0;
    for (size_t i = 0; i < n; ++i) s += reinterpret_cast<const uint64_t *>(array->bytes.data())[i];
    return types.int64(int64_t(s));
  });
  // __result_type(f, args...): as compiled code has it; nothing where there is none
  l.add_any("__result_type", [&](Interpreter &, Args a) -> Result<Value> {
    TypeRef type = l.program.hot.result_type("__called", a);
    return type ? Value::type_value(types, type) : l.nothing();
  });
  // __compiled_broadcast(dotted call, dims): nothing where that cannot be compiled
  l.add("__compiled_broadcast", 2, [&](Interpreter &, Args a) -> Result<Value> {
    auto dims = dims_of(types, a.subspan(1));
    int64_t count = dims ? 1 : 0;
    for (int64_t d : dims.value_or(std::vector<int64_t>())) count *= d;
    if (count < worth_compiling) return l.nothing();
    TypeRef element = l.program.hot.result_type("__broadcast_element", a);
    if (!element) return l.nothing();
    KILN_TRY(Value made, host_array(types, element, std::move(*dims)));
    Value args[] = {made, a[0], a[1]};
    KILN_TRY(Value done, l.program.hot.run("__broadcast_into!", args));
    return done ? made : l.nothing();
  });
  // __compiled_into(A, dotted call, dims): whether it was stored; if not, A is as it was
  l.add("__compiled_into", 3, [&](Interpreter &, Args a) -> Result<Value> {
    HostArray *array = a[0].as_array();
    if (!array || array->length() < worth_compiling || !types.is_isbits(array->element))
      return types.boolean(false);
    const std::vector<std::byte> before = array->bytes;
    KILN_TRY(Value done, l.program.hot.run("__broadcast_into!", a));
    if (!done) std::memcpy(array->bytes.data(), before.data(), before.size());
    return types.boolean(bool(done));
  });
  // __product(A, B): of matrices of one float type
  l.add("__product", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *x = a[0].as_array(), *y = a[1].as_array();
    if (!x || !y || x->element != y->element || x->dims.size() != 2) return Value();
    const int64_t m = x->dims[0], k = x->dims[1], n = y->dims.size() == 2 ? y->dims[1] : 1;
    auto multiply = [&](auto zero) -> Result<Value> {
      using T = decltype(zero);
      KILN_TRY(Value made,
               host_array(types, x->element,
                          y->dims.size() == 2 ? std::vector<int64_t>{m, n} : std::vector<int64_t>{m}));
      auto *out = reinterpret_cast<T *>(made.as_array()->bytes.data());
      auto *p = reinterpret_cast<const T *>(x->bytes.data()),
           *q = reinterpret_cast<const T *>(y->bytes.data());
      for (int64_t j = 0; j < n; ++j)
        for (int64_t c = 0; c < k; ++c) {
          KILN_CHECK(l.check_interrupt());
          for (int64_t i = 0; i < m; ++i) out[j * m + i] += p[c * m + i] * q[j * k + c];
        }
      return made;
    };
    if (x->element == b.Float64) return multiply(0.0);
    if (x->element == b.Float32) return multiply(0.0f);
    if (x->element == b.Int64) return multiply(int64_t(0));
    return Value();
  });
}

} // namespace kiln
