// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for arrays of programs: constructors, views that share bytes, sums and products. Also runs
// collect, map and filter as compiled code.
#include "array_parts.h"

#include <algorithm>

namespace kiln {

using namespace arrays;

namespace {

constexpr int64_t worth_compiling = 64; // minimum number of elements

/// Collects an iterator into an array by compiled code. An empty Value: the interpreter must collect it.
/// `element`: the array's element type; null: the type that inference finds.
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
  if (shape.type() != types.builtins().Nothing) {
    dims = read_dims(types, std::span(&shape, 1));
    if (!dims) return Value(); // axes that do not begin at 1
  }
  const std::string_view loop = dims ? "__fill_from!" : "__append_from!";
  KILN_TRY(Value made, make_array(l.interpreter, element, dims ? std::move(*dims) : std::vector<int64_t>{0}));
  Value args[] = {made, items};
  KILN_TRY(Value filled, hot.run(loop, args, 1));
  return filled ? made : Value();
}

/// sorted_order of numbers, compiled.
Result<Value> order_compiled(Library &l, const Value &keys, const Value &lt, const Value &reverse) {
  const HostArray *array = keys.as_array();
  if (!array || array->length() < worth_compiling || !l.types.is_isbits(array->element)) return Value();
  KILN_TRY(Value isless, find_base(l.interpreter, "isless"));
  KILN_TRY(Value order, make_array(l.interpreter, l.types.builtins().Int64, {array->length()}));
  KILN_TRY(Value other, make_array(l.interpreter, l.types.builtins().Int64, {array->length()}));
  Value args[] = {order, other, keys, lt.type() == l.types.builtins().Nothing ? isless : lt, reverse};
  KILN_TRY(Value done, l.program.hot.run("__merge_order!", args, 2));
  return done ? order : Value();
}

} // namespace

void add_arrays(Library &l) {
  TypeContext &types = l.types;
  const auto &b = types.builtins();
  l.interpreter.add_host_constructor(*b.ArrayName, [&](Interpreter &, Args a) { return construct(l, a); });
  add_range_iteration(l);
  // __joined_array(values::Vector, T or nothing, dims): an array of T, or of the joined type of the values
  l.add("__joined_array", 3, [&](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(auto values, collect_elements(l.interpreter, a[0]));
    auto dims = read_dims(types, a.subspan(2));
    if (!dims) return Value();
    return make_array_from(l.interpreter, values, a[1].as_type(), std::move(*dims));
  });
  l.add("__type_join", 2, [&](Interpreter &, Args a) -> Result<Value> {
    if (!a[0].as_type() || !a[1].as_type()) return Value();
    return Value::type_value(types, join(types, a[0].as_type(), a[1].as_type()));
  });
  l.add("__element_join", 2, [&](Interpreter &, Args a) -> Result<Value> {
    if (!a[0].as_type() || !a[1].as_type()) return Value();
    return Value::type_value(types, join_types(types, a[0].as_type(), a[1].as_type()));
  });
  // An empty Value leaves the call to the interpreter's own `collect`.
  l.add_any("collect", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.empty() || a.size() > 2 || (a.size() == 2 && !a[0].as_type())) return Value();
    return collect_compiled(l, a.back(), a.size() == 2 ? a[0].as_type() : nullptr);
  });
  l.add_any("map", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.size() != 2 || !a[1].as_array() || a[1].as_array()->length() < worth_compiling) return Value();
    KILN_TRY(Value generator, l.program.call("Generator", a));
    return collect_compiled(l, generator, nullptr);
  });
  l.add_any("filter", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.size() != 2 || !a[1].as_array() || a[1].as_array()->length() < worth_compiling) return Value();
    KILN_TRY(Value filtered, l.program.call("Filtered", a));
    return collect_compiled(l, filtered, a[1].as_array()->element);
  });
  // __reshaped(A, dims): an array with these dimensions that shares the bytes of A
  l.add("__reshaped", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[0].as_array();
    auto dims = read_dims(types, a.subspan(1));
    if (!array || !dims) return Value();
    if (*dims == array->dims) return a[0];
    auto made = std::make_shared<HostArray>();
    made->element = array->element;
    made->bytes = array->bytes.share();
    made->values = array->values;
    made->dims = *dims;
    return array_value(types, std::move(made));
  });
  // __reinterpreted(T, A, dims): an array of T that shares the bytes of A
  l.add("__reinterpreted", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *array = a[1].as_array();
    TypeRef element = a[0].as_type();
    auto dims = read_dims(types, a.subspan(2));
    if (!array || !element || !dims || !types.is_isbits(element) || !types.is_isbits(array->element))
      return Value();
    auto made = std::make_shared<HostArray>();
    made->element = element;
    made->dims = *dims;
    if (uint64_t(made->length()) * layout_of(types, element)->size != array->bytes.size()) return Value();
    made->bytes = array->bytes.share();
    return array_value(types, std::move(made));
  });
  l.add_any("__cat", [&](Interpreter &, Args a) -> Result<Value> { // (dimension, T or nothing, parts...)
    return concatenate(l, size_t(a[0].low_bits()) - 1, a.subspan(2), a[1].as_type());
  });
  // __order(keys, lt or nothing, reverse): the sorting permutation of the keys
  l.add("__order", 3, [&](Interpreter &, Args a) -> Result<Value> {
    KILN_TRY(Value compiled, order_compiled(l, a[0], a[1], a[2]));
    if (compiled) return compiled;
    KILN_TRY(auto keys, collect_elements(l.interpreter, a[0]));
    KILN_TRY(auto order, sorted_order(l, keys, a[1], a[2].low_bits() & 1));
    KILN_TRY(Value made, make_array(l.interpreter, b.Int64, {int64_t(order.size())}));
    auto *out = reinterpret_cast<int64_t *>(made.as_array()->bytes.data());
    for (size_t i = 0; i < order.size(); ++i) out[i] = order[i] + 1;
    return made;
  });
  // Sums Float64 and Float32 elements pairwise, as Julia does, and Int64 elements in order. A Julia method
  // sums all other elements, and empty arrays.
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
  // __result_type(f, args...): the result type that inference finds; nothing if there is none
  l.add_any("__result_type", [&](Interpreter &, Args a) -> Result<Value> {
    TypeRef type = l.program.hot.result_type("__called", a, false);
    return type ? Value::type_value(types, type) : l.nothing();
  });
  // __element_type(f, T): the element type of an array of results f(x::T); Any if inference does not know it
  l.add("__element_type", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const TypeRef argument = a[1].as_type();
    const bool is_known = argument && types.is_dispatch_element(argument) && !a[0].as_type();
    const TypeRef type = is_known ? l.program.hot.element_type(a[0], argument) : nullptr;
    return Value::type_value(types, type ? type : b.Any);
  });
  // __inferred_result(f, types...) or (f, Tuple{types...}): Any if inference finds no concrete type
  l.add_any("__inferred_result", [&](Interpreter &, Args a) -> Result<Value> {
    std::vector<TypeRef> call{types.type_of(a[0])};
    const DataType *only = a.size() == 2 && a[1].as_type() ? a[1].as_type()->as<DataType>() : nullptr;
    if (only && only->is_tuple()) call.insert(call.end(), only->params().begin(), only->params().end());
    if (!only || !only->is_tuple())
      for (const Value &arg : a.subspan(1)) call.push_back(arg.as_type());
    const bool is_known =
        std::ranges::all_of(call, [&](TypeRef t) { return t && types.is_dispatch_element(t); });
    TypeRef type = is_known ? l.program.hot.result_type_of(call) : nullptr;
    return Value::type_value(types, type ? type : types.builtins().Any);
  });
  // __compiled_broadcast(dotted call, dims): its result; nothing if the call cannot be compiled
  l.add("__compiled_broadcast", 2, [&](Interpreter &, Args a) -> Result<Value> {
    auto dims = read_dims(types, a.subspan(1));
    int64_t count = dims ? 1 : 0;
    for (int64_t d : dims.value_or(std::vector<int64_t>())) count *= d;
    if (count < worth_compiling) return l.nothing();
    TypeRef element = l.program.hot.result_type("__broadcast_element", a);
    if (!element) return l.nothing();
    KILN_TRY(Value made, make_array(l.interpreter, element, std::move(*dims)));
    Value args[] = {made, a[0], a[1]};
    KILN_TRY(Value done, l.program.hot.run("__broadcast_into!", args, 1));
    return done ? made : l.nothing();
  });
  // __compiled_into(A, dotted call, dims): stores the result in A; false: not compiled, and A is unchanged
  l.add("__compiled_into", 3, [&](Interpreter &, Args a) -> Result<Value> {
    HostArray *array = a[0].as_array();
    if (!array || array->length() < worth_compiling || !types.is_isbits(array->element))
      return types.boolean(false);
    const std::vector<std::byte> before = array->bytes;
    KILN_TRY(Value done, l.program.hot.run("__broadcast_into!", a, 1));
    if (!done) std::memcpy(array->bytes.data(), before.data(), before.size());
    return types.boolean(bool(done));
  });
  // __product(A, B): the matrix product, for matrices of one float type
  l.add("__product", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const HostArray *x = a[0].as_array(), *y = a[1].as_array();
    if (!x || !y || x->element != y->element || x->dims.size() != 2) return Value();
    const int64_t m = x->dims[0], k = x->dims[1], n = y->dims.size() == 2 ? y->dims[1] : 1;
    auto multiply = [&](auto zero) -> Result<Value> {
      using T = decltype(zero);
      KILN_TRY(Value made,
               make_array(l.interpreter, x->element,
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
