// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of lists and texts: collect, map, push! and iteration of host arrays; lowercase, join,
// startswith. They exist only in evaluated code: in programs, and in code that makes code (macros, @eval
// loops, @generated bodies).
#include "fold.h"
#include "host_arrays.h"
#include "state.h"

#include <support/unicode.h>

#include <algorithm>

namespace kiln {

namespace {

using Args = std::span<const Value>;
std::optional<std::string> text_of(const Value &v) {
  if (const std::string *text = v.as_string()) return *text;
  if (Symbol symbol = v.as_symbol()) return std::string(symbol.text());
  return std::nullopt;
}

Result<Value> empty_element_type(Interpreter &interpreter, const Value &items) {
  return call_base(interpreter, "__empty_eltype", std::span(&items, 1));
}

// Implements collect([type], items). The result has the shape of the items, and one element type.
Result<Value> collect(Interpreter &interpreter, Args args) {
  if (args.empty() || args.size() > 2 || (args.size() == 2 && !args[0].as_type())) return Value();
  const Value &items = args.back();
  TypeRef element = args.size() == 2 ? args[0].as_type() : nullptr;
  const HostArray *array = items.as_array();
  if (array && (!element || element == array->element)) return copy_array(interpreter, items);
  KILN_TRY(auto values, collect_elements(interpreter, items));
  std::vector<int64_t> dims{int64_t(values.size())};
  Value axes; // those of the items, if they do not begin at 1
  if (array) {
    dims = array->dims;
  } else {
    KILN_TRY(Value shape, call_base(interpreter, "__shape", std::span(&items, 1)));
    auto found = read_dims(interpreter.world().types(), std::span(&shape, 1));
    if (found && found->size() != 1) dims = std::move(*found);
    if (!found && shape.type() != interpreter.world().types().builtins().Nothing) axes = shape;
  }
  if (!element && values.empty()) {
    KILN_TRY(Value of, empty_element_type(interpreter, items));
    element = of.as_type();
  }
  KILN_TRY(Value made, make_array_from(interpreter, values, element, std::move(dims)));
  if (!axes) return made;
  Value placed[] = {made, axes};
  return call_base(interpreter, "__on_axes", placed);
}

Result<Value> map(Interpreter &interpreter, Args args) {
  if (args.size() != 2 || !args[1].as_array()) return Value();
  KILN_TRY(auto values, collect_elements(interpreter, args[1]));
  TypeRef element = nullptr;
  if (values.empty()) {
    KILN_TRY(Value generator, call_base(interpreter, "Generator", args));
    KILN_TRY(Value of, empty_element_type(interpreter, generator));
    element = of.as_type();
  }
  for (Value &v : values) {
    KILN_TRY(v, interpreter.call(args[0], std::span(&v, 1)));
  }
  return make_array_from(interpreter, values, element, args[1].as_array()->dims);
}

Result<Value> filter(Interpreter &interpreter, Args args) {
  if (args.size() != 2 || !args[1].as_array()) return Value();
  KILN_TRY(auto values, collect_elements(interpreter, args[1]));
  std::vector<Value> kept;
  for (const Value &v : values) {
    KILN_TRY(Value keeps, interpreter.call(args[0], std::span(&v, 1)));
    if (keeps.type() != interpreter.world().types().builtins().Bool)
      return make_error(
          ErrorCode::TypeError,
          fmt::format("in typeassert, expected Bool, got a value of type {}", spell(keeps.type())));
    if (keeps.low_bits()) kept.push_back(v);
  }
  return make_array_from(interpreter, kept, args[1].as_array()->element);
}

// pop!, popfirst!
Result<Value> take_out(Interpreter &interpreter, HostArray &vector, bool is_first) {
  if (vector.dims[0] == 0) return make_error(ErrorCode::ArgumentError, "array must be non-empty");
  const int64_t at = is_first ? 0 : vector.dims[0] - 1;
  KILN_TRY(Value element, get_element(interpreter.world().types(), vector, at));
  erase_elements(interpreter.world().types(), vector, at, 1);
  return element;
}

Result<Value> delete_at(Interpreter &interpreter, Args args, HostArray &vector) {
  if (args.size() != 2) return Value();
  TypeContext &types = interpreter.world().types();
  std::vector<int64_t> at;
  if (const auto i = integer_of(types, args[1])) {
    at.push_back(*i);
  } else {
    KILN_TRY(auto items, collect_elements(interpreter, args[1]));
    for (const Value &v : items) at.push_back(integer_of(types, v).value_or(0));
  }
  std::ranges::sort(at);
  for (size_t k = at.size(); k-- > 0;) {
    if (at[k] < 1 || at[k] > vector.dims[0]) return array_bounds_error(interpreter, args[0], args.subspan(1));
    erase_elements(types, vector, at[k] - 1, 1);
  }
  return args[0];
}

Result<Value> resize(Interpreter &interpreter, Args args, HostArray &vector) {
  if (args.size() != 2) return Value();
  TypeContext &types = interpreter.world().types();
  const auto n = integer_of(types, args[1]);
  if (!n) return Value();
  if (*n < 0) return make_error(ErrorCode::ArgumentError, "new length must be ≥ 0");
  if (*n > vector.dims[0])
    KILN_CHECK(charge_elements(interpreter, vector.element, uint64_t(*n - vector.dims[0])));
  if (types.is_isbits(vector.element))
    vector.bytes.resize(size_t(*n) * layout_of(types, vector.element)->size);
  else
    vector.values.resize(size_t(*n));
  vector.dims[0] = *n;
  return args[0];
}

// Adds the functions that change a vector's length.
Result<void> add_growth(Interpreter &interpreter) {
  using Change = Result<Value> (*)(Interpreter &, Args, HostArray &);
  constexpr std::pair<std::string_view, Change> changes[] = {
      {"push!",
       [](Interpreter &i, Args args, HostArray &vector) -> Result<Value> {
         KILN_CHECK(insert_elements(i, vector, vector.dims[0], args.subspan(1)));
         return args[0];
       }},
      {"pushfirst!",
       [](Interpreter &i, Args args, HostArray &vector) -> Result<Value> {
         KILN_CHECK(insert_elements(i, vector, 0, args.subspan(1)));
         return args[0];
       }},
      {"append!",
       [](Interpreter &i, Args args, HostArray &vector) -> Result<Value> {
         for (const Value &more : args.subspan(1)) {
           KILN_TRY(auto elements, collect_elements(i, more));
           KILN_CHECK(insert_elements(i, vector, vector.dims[0], elements));
         }
         return args[0];
       }},
      {"__insert", // (vector, index, element)
       [](Interpreter &i, Args args, HostArray &vector) -> Result<Value> {
         const auto at = int64_t(args[1].low_bits());
         if (at < 1 || at > vector.dims[0] + 1) return array_bounds_error(i, args[0], args.subspan(1, 1));
         KILN_CHECK(insert_elements(i, vector, at - 1, args.subspan(2)));
         return args[0];
       }},
      {"pop!",
       [](Interpreter &i, Args args, HostArray &vector) {
         return args.size() == 1 ? take_out(i, vector, false) : Result<Value>(Value());
       }},
      {"popfirst!",
       [](Interpreter &i, Args args, HostArray &vector) {
         return args.size() == 1 ? take_out(i, vector, true) : Result<Value>(Value());
       }},
      {"empty!",
       [](Interpreter &i, Args args, HostArray &vector) -> Result<Value> {
         erase_elements(i.world().types(), vector, 0, vector.dims[0]);
         return args[0];
       }},
      {"deleteat!", delete_at},
      {"resize!", resize},
  };
  for (const auto &[name, change] : changes)
    KILN_CHECK(interpreter.add_host_function(*interpreter.world().base(), name,
                                             [change = change](Interpreter &i, Args args) -> Result<Value> {
                                               HostArray *array = args.empty() ? nullptr : args[0].as_array();
                                               if (!array || array->dims.size() != 1) return Value();
                                               return change(i, args, *array);
                                             }));
  return {};
}

} // namespace

Result<void> add_list_library(Interpreter &interpreter) {
  KILN_CHECK(add_growth(interpreter));
  CompilerWorld &world = compiler_world(interpreter.world());
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
  KILN_CHECK(add("collect", collect));
  KILN_CHECK(add("map", map));
  KILN_CHECK(add("filter", filter));
  KILN_CHECK(add_on_array("iterate", [&types](Interpreter &, Args args) -> Result<Value> {
    int64_t next = args.size() > 1 ? int64_t(args[1].low_bits()) : 1;
    if (next > args[0].as_array()->length()) return types.nothing();
    KILN_TRY(Value element, get_element(types, *args[0].as_array(), next - 1));
    Value both[] = {std::move(element), types.int64(next + 1)};
    return tuple_value(types, both);
  }));
  KILN_CHECK(add_on_array("isempty", [&types](Interpreter &, Args args) -> Result<Value> {
    return types.boolean(args[0].as_array()->length() == 0);
  }));
  KILN_CHECK(add_on_array("lastindex", [&types](Interpreter &, Args args) -> Result<Value> {
    if (args.size() > 1) return Value();
    return types.int64(args[0].as_array()->length());
  }));
  KILN_CHECK(add_on_array("copy", [](Interpreter &i, Args args) -> Result<Value> {
    return args.size() == 1 ? copy_array(i, args[0]) : Result<Value>(Value());
  }));
  // This vcat is used only outside of programs. In programs, methods of vcat join arrays of any shape
  // (runtime/library/program/arrays.jl).
  KILN_CHECK(add("vcat", [](Interpreter &i, Args args) -> Result<Value> {
    if (i.runs_program()) return Value();
    if (std::none_of(args.begin(), args.end(), [](const Value &v) { return v.as_array(); })) return Value();
    std::vector<Value> all;
    for (const Value &part : args)
      if (part.as_array()) {
        KILN_TRY(auto elements, collect_elements(i, part));
        all.insert(all.end(), elements.begin(), elements.end());
      } else {
        all.push_back(part);
      }
    return make_array_from(i, all);
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
    KILN_TRY(auto parts, collect_elements(i, args[0]));
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
