// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists and texts, for the code that makes code: macros, @eval loops, @generated bodies. collect, push!, map
// over host arrays, iteration, slices; lowercase, join, startswith. Evaluated code only: compiled code has
// none of them.
#include "fold.h"
#include "state.h"

#include <support/unicode.h>

namespace kiln {

namespace {

using Args = std::span<const Value>;
constexpr size_t max_elements = 10'000'000;

Result<Value> base_function(Interpreter &interpreter, std::string_view name) {
  World &world = interpreter.world();
  KILN_TRY(auto found, world.lookup(*world.base(), world.types().symbol(name), world.age()));
  if (!found) return internal_error(fmt::format("Base has no function `{}`", name));
  return std::move(*found);
}

// An array of these elements, converted to `element` if that is given; else of their type if they have one,
// else of Any.
Result<Value> array_of(Interpreter &interpreter, std::span<const Value> elements, TypeRef element = nullptr) {
  TypeContext &types = interpreter.world().types();
  if (!element) {
    element = elements.empty() ? types.builtins().Any : elements[0].type();
    for (const Value &v : elements)
      if (v.type() != element) element = types.builtins().Any;
  }
  KILN_TRY(Value array, make_array(types, element, {int64_t(elements.size())}, interpreter.state()));
  for (size_t i = 0; i < elements.size(); i++) {
    KILN_TRY(Value converted, interpreter.convert(element, elements[i]));
    KILN_CHECK(set_array_element(types, *array.as_array(), int64_t(i), converted));
  }
  return array;
}

} // namespace

Result<std::vector<Value>> elements_of(Interpreter &interpreter, const Value &items) {
  TypeContext &types = interpreter.world().types();
  std::vector<Value> elements;
  if (HostArray *array = items.as_array()) {
    for (int64_t i = 0; i < array->length(); i++) {
      KILN_TRY(Value element, array_element(types, *array, i));
      elements.push_back(std::move(element));
    }
    return elements;
  }
  const DataType *type = items.type()->as<DataType>();
  if (items.fields() && type && type->is_tuple()) return *items.fields();
  KILN_TRY(Value iterate, base_function(interpreter, "iterate"));
  std::vector<Value> args{items};
  for (;;) {
    KILN_TRY(Value next, interpreter.call(iterate, args));
    const std::vector<Value> *pair = next.fields();
    if (!pair || pair->size() != 2) return elements; // nothing
    if (elements.size() == max_elements)
      return make_error(ErrorCode::OutOfMemoryError,
                        fmt::format("a collection has more than {} elements", max_elements));
    elements.push_back((*pair)[0]);
    args = {items, (*pair)[1]};
  }
}

namespace {

Result<void> resize(Interpreter &interpreter, const Value &array, std::span<const Value> elements) {
  TypeContext &types = interpreter.world().types();
  HostArray &a = *array.as_array();
  if (a.dims.size() != 1) return make_error(ErrorCode::MethodError, "only a vector can grow or shrink");
  std::vector<Value> converted;
  for (const Value &v : elements) {
    KILN_TRY(Value one, interpreter.convert(a.element, v));
    converted.push_back(std::move(one));
  }
  KILN_TRY(Value made, make_array(types, a.element, {int64_t(converted.size())}, interpreter.state()));
  a.dims = made.as_array()->dims;
  a.bytes = std::move(made.as_array()->bytes);
  a.values = std::move(made.as_array()->values);
  for (size_t i = 0; i < converted.size(); i++)
    KILN_CHECK(set_array_element(types, a, int64_t(i), converted[i]));
  return {};
}

// Elements behind the last, in place: lists grow one by one.
Result<void> append(Interpreter &interpreter, const Value &array, Args more) {
  TypeContext &types = interpreter.world().types();
  HostArray &a = *array.as_array();
  if (a.dims.size() != 1) return make_error(ErrorCode::MethodError, "only a vector can grow or shrink");
  std::vector<Value> converted;
  for (const Value &v : more) {
    KILN_TRY(Value one, interpreter.convert(a.element, v));
    converted.push_back(std::move(one));
  }
  KILN_TRY(Value made, make_array(types, a.element, {int64_t(converted.size())}, interpreter.state()));
  const HostArray &added = *made.as_array();
  const int64_t first = a.length();
  a.bytes.insert(a.bytes.end(), added.bytes.begin(), added.bytes.end());
  a.values.insert(a.values.end(), added.values.begin(), added.values.end());
  a.dims[0] += int64_t(converted.size());
  for (size_t i = 0; i < converted.size(); i++)
    KILN_CHECK(set_array_element(types, a, first + int64_t(i), converted[i]));
  return {};
}

std::optional<std::string> text_of(const Value &v) {
  if (const std::string *text = v.as_string()) return *text;
  if (Symbol symbol = v.as_symbol()) return std::string(symbol.text());
  return std::nullopt;
}

} // namespace

Result<std::optional<Value>> slice_of(Interpreter &interpreter, const Value &array, const Value &indices) {
  if (indices.is_primitive() || indices.as_type()) return std::optional<Value>();
  KILN_TRY(auto positions, elements_of(interpreter, indices));
  TypeContext &types = interpreter.world().types();
  std::vector<Value> taken;
  for (const Value &position : positions) {
    if (!position.is_primitive()) return std::optional<Value>();
    const int64_t place = int64_t(position.low_bits());
    if (place < 1 || place > array.as_array()->length())
      return interpreter.bounds_error(array, tuple_value(types, Args(&indices, 1)));
    KILN_TRY(Value element, array_element(types, *array.as_array(), place - 1));
    taken.push_back(std::move(element));
  }
  KILN_TRY(Value made, array_of(interpreter, taken, array.as_array()->element));
  return std::optional<Value>(std::move(made));
}

Result<std::optional<Value>> part_of(Interpreter &interpreter, const Value &array, Args indices) {
  TypeContext &types = interpreter.world().types();
  const HostArray &from = *array.as_array();
  if (indices.size() != from.dims.size()) return std::optional<Value>();
  std::vector<std::vector<int64_t>> at;
  std::vector<int64_t> dims;
  for (size_t d = 0; d < indices.size(); ++d) {
    const Value &index = indices[d];
    std::vector<int64_t> &places = at.emplace_back();
    if (index.is_primitive()) {
      places.push_back(int64_t(index.low_bits()) - 1);
      continue;
    }
    const DataType *type = index.type() ? index.type()->as<DataType>() : nullptr;
    if (type && (type->name().name.text() == "Colon" || to_string(index) == ":")) {
      for (int64_t i = 0; i < from.dims[d]; ++i) places.push_back(i);
    } else {
      KILN_TRY(auto elements, elements_of(interpreter, index));
      for (const Value &place : elements) {
        if (!place.is_primitive() || !types.is_integer(place.type())) return std::optional<Value>();
        places.push_back(int64_t(place.low_bits()) - 1);
      }
    }
    dims.push_back(int64_t(places.size()));
  }
  for (size_t d = 0; d < at.size(); ++d)
    for (int64_t place : at[d])
      if (place < 0 || place >= from.dims[d])
        return interpreter.bounds_error(array, tuple_value(types, indices));
  KILN_TRY(Value made, make_array(types, from.element, dims, interpreter.state()));
  HostArray &to = *made.as_array();
  for (int64_t k = 0; k < to.length(); ++k) {
    int64_t rest = k, place = 0, stride = 1;
    for (size_t d = 0; d < at.size(); ++d) {
      const auto count = int64_t(at[d].size());
      place += at[d][size_t(rest % count)] * stride;
      rest /= count;
      stride *= from.dims[d];
    }
    KILN_TRY(Value element, array_element(types, from, place));
    KILN_CHECK(set_array_element(types, to, k, element));
  }
  return std::optional<Value>(std::move(made));
}

Result<void> add_list_library(Interpreter &interpreter) {
  KILN_CHECK(add_making_library(interpreter));
  World &world = interpreter.world();
  TypeContext &types = world.types();
  auto add = [&](std::string_view name, auto function) {
    return interpreter.add_host_function(*world.base(), name, function);
  };
  auto add_on_array = [&](std::string_view name, auto body) {
    return add(name, [body](Interpreter &i, Args args) -> Result<Value> {
      if (args.empty() || !args[0].as_array()) return Value();
      return body(i, args);
    });
  };
  KILN_CHECK(add("collect", [](Interpreter &i, Args args) -> Result<Value> {
    if (args.empty() || args.size() > 2 || (args.size() == 2 && !args[0].as_type())) return Value();
    KILN_TRY(auto elements, elements_of(i, args.back()));
    KILN_TRY(Value array, array_of(i, elements, args.size() == 2 ? args[0].as_type() : nullptr));
    if (args.back().type() == i.world().types().tuple({})) return array;
    KILN_TRY(auto shape, shape_of(i, args.back()));
    int64_t count = 1;
    for (int64_t d : shape.value_or(std::vector<int64_t>())) count *= d;
    if (!shape || shape->size() < 2 || count != array.as_array()->length()) return array;
    array.as_array()->dims = *shape;
    TypeContext &types = i.world().types();
    TypeRef params[] = {array.as_array()->element, types.constant(int64_t(shape->size()))};
    return Value::array(types.data(*types.builtins().ArrayName, params), array.shared_array());
  }));
  // A list's new elements from the old and the further arguments.
  auto changes = [&](std::string_view name, auto change) {
    return add_on_array(name, [change](Interpreter &i, Args args) -> Result<Value> {
      KILN_TRY(auto elements, elements_of(i, args[0]));
      KILN_TRY(Value result, change(i, elements, args));
      KILN_CHECK(resize(i, args[0], elements));
      return result;
    });
  };
  using List = std::vector<Value>;
  KILN_CHECK(add_on_array("push!", [](Interpreter &i, Args args) -> Result<Value> {
    KILN_CHECK(append(i, args[0], args.subspan(1)));
    return args[0];
  }));
  KILN_CHECK(changes("pushfirst!", [](Interpreter &, List &list, Args args) -> Result<Value> {
    list.insert(list.begin(), args.begin() + 1, args.end());
    return args[0];
  }));
  KILN_CHECK(add_on_array("append!", [](Interpreter &i, Args args) -> Result<Value> {
    for (const Value &more : args.subspan(1)) {
      KILN_TRY(auto elements, elements_of(i, more));
      KILN_CHECK(append(i, args[0], elements));
    }
    return args[0];
  }));
  KILN_CHECK(changes("pop!", [](Interpreter &, List &list, Args) -> Result<Value> {
    if (list.empty()) return make_error(ErrorCode::ArgumentError, "array must be non-empty");
    Value last = list.back();
    list.pop_back();
    return last;
  }));
  KILN_CHECK(changes("popfirst!", [](Interpreter &, List &list, Args) -> Result<Value> {
    if (list.empty()) return make_error(ErrorCode::ArgumentError, "array must be non-empty");
    Value first = list.front();
    list.erase(list.begin());
    return first;
  }));
  KILN_CHECK(add_on_array("iterate", [&types](Interpreter &, Args args) -> Result<Value> {
    int64_t next = args.size() > 1 ? int64_t(args[1].low_bits()) : 1;
    if (next > args[0].as_array()->length()) return types.nothing();
    KILN_TRY(Value element, array_element(types, *args[0].as_array(), next - 1));
    Value both[] = {std::move(element), types.int64(next + 1)};
    KILN_TRY(auto pair, apply_builtin(types, Intrinsic::tuple, both));
    return std::move(*pair);
  }));
  KILN_CHECK(add_on_array("isempty", [&types](Interpreter &, Args args) -> Result<Value> {
    return types.boolean(args[0].as_array()->length() == 0);
  }));
  KILN_CHECK(add_on_array("lastindex", [&types](Interpreter &, Args args) -> Result<Value> {
    if (args.size() > 1) return Value();
    return types.int64(args[0].as_array()->length());
  }));
  // Of these, programs have methods for arrays of every shape (runtime/library/program/arrays.jl).
  KILN_CHECK(add_on_array("copy", [](Interpreter &i, Args args) -> Result<Value> {
    if (i.runs_program()) return Value();
    KILN_TRY(auto elements, elements_of(i, args[0]));
    return array_of(i, elements, args[0].as_array()->element);
  }));
  KILN_CHECK(add("vcat", [](Interpreter &i, Args args) -> Result<Value> {
    if (i.runs_program()) return Value();
    if (std::none_of(args.begin(), args.end(), [](const Value &v) { return v.as_array(); })) return Value();
    List all;
    for (const Value &part : args)
      if (part.as_array()) {
        KILN_TRY(auto elements, elements_of(i, part));
        all.insert(all.end(), elements.begin(), elements.end());
      } else {
        all.push_back(part);
      }
    return array_of(i, all);
  }));
  for (std::string_view name : {"map", "filter", "foreach"})
    KILN_CHECK(add(name, [name, &types](Interpreter &i, Args args) -> Result<Value> {
      if (args.size() != 2 || !args[1].as_array() || (name == "foreach" && i.runs_program())) return Value();
      KILN_TRY(auto elements, elements_of(i, args[1]));
      List made;
      for (const Value &element : elements) {
        KILN_TRY(Value result, i.call(args[0], std::span<const Value>(&element, 1)));
        if (name != "filter")
          made.push_back(std::move(result));
        else if (result.is_primitive() && result.low_bits() & 1)
          made.push_back(element);
      }
      if (name == "foreach") return types.nothing();
      return array_of(i, made, name == "filter" ? args[1].as_array()->element : nullptr);
    }));
  KILN_CHECK(add("in", [&types](Interpreter &i, Args args) -> Result<Value> {
    if (args.size() != 2 || !args[1].as_array() || i.runs_program()) return Value();
    KILN_TRY(auto elements, elements_of(i, args[1]));
    return types.boolean(
        std::any_of(elements.begin(), elements.end(), [&](const Value &v) { return egal(v, args[0]); }));
  }));
  // ---- texts
  for (bool upper : {false, true})
    KILN_CHECK(
        add(upper ? "uppercase" : "lowercase", [upper, &types](Interpreter &, Args args) -> Result<Value> {
          if (args.size() != 1 || !args[0].as_string()) return Value();
          return Value::string(
              types, unicode::mapped(*args[0].as_string(), upper ? unicode::to_upper : unicode::to_lower));
        }));
  for (std::string_view name : {"startswith", "endswith", "occursin"})
    KILN_CHECK(add(name, [name, &types](Interpreter &, Args args) -> Result<Value> {
      if (args.size() != 2 || !args[0].as_string() || !args[1].as_string()) return Value();
      const std::string &a = *args[0].as_string(), &b = *args[1].as_string();
      return types.boolean(name == "startswith" ? a.starts_with(b)
                           : name == "endswith" ? a.ends_with(b)
                                                : b.find(a) != std::string::npos);
    }));
  KILN_CHECK(add("join", [&types](Interpreter &i, Args args) -> Result<Value> {
    if (args.empty() || args.size() > 2) return Value();
    KILN_TRY(auto parts, elements_of(i, args[0]));
    std::string between = args.size() == 2 ? text_of(args[1]).value_or(to_string(args[1])) : "", text;
    for (const Value &part : parts) {
      if (&part != &parts.front()) text += between;
      text += text_of(part).value_or(to_string(part));
    }
    return Value::string(types, std::move(text));
  }));
  KILN_CHECK(add("isexpr", [&types](Interpreter &, Args args) -> Result<Value> {
    const std::vector<Value> *heads = args.size() < 2 ? nullptr : args[1].fields();
    if (args.size() < 2 || (!args[1].as_symbol() && !heads)) return Value();
    ExprObject *expr = args[0].type() == types.builtins().Expr ? args[0].as_expr() : nullptr;
    auto is_head = [&](const Value &head) { return expr && head.as_symbol() == expr->head; };
    const bool is = heads ? std::ranges::any_of(*heads, is_head) : is_head(args[1]);
    return types.boolean(is && (args.size() < 3 || expr->args.size() == args[2].low_bits()));
  }));
  return {};
}

} // namespace kiln
