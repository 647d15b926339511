// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/layout.h>

namespace infix {

using namespace kiln;
using Kind = Node::Kind;

Result<std::unique_ptr<Program>> Program::open(std::string_view device, SessionOptions options) {
  auto program = std::make_unique<Program>();
  options.languages.push_back([&](const LanguageHost &host) {
    auto language = std::make_unique<Language>(host);
    program->language_ = language.get();
    return language;
  });
  options.language = "infix";
  KILN_TRY(program->session_, Session::open(options));
  if (device == "cuda") {
    KILN_TRY(program->device_, program->session_->gpu());
  } else if (device == "cpu") {
    program->device_ = program->session_->cpu();
  } else {
    return usage_error("the device is cpu or cuda");
  }
  return program;
}

Error Program::error(const Node &at, std::string message) {
  return input_error(std::move(message), language_->world.sources().locate(at.at));
}

Result<void> Program::run(const std::string &name, const std::string &text) {
  auto file = language_->world.sources().add(name, text);
  KILN_TRY(auto nodes, parse(language_->types, *file));
  texts_.push_back(std::make_unique<std::vector<Node>>(std::move(nodes)));
  for (const Node &node : *texts_.back())
    if (auto done = statement(node); !done.ok()) return language_->at_own_places(done.take_error());
  return {};
}

// ---- statements

Result<void> Program::statement(const Node &node) {
  switch (node.kind) {
  case Kind::Function:
    return session_->define([&](World &world) { return language_->define(*world.main(), node); });
  case Kind::Let:
  case Kind::Assign: {
    const std::string name(node.name.text());
    if (node.kind == Kind::Assign && !variables_.contains(name))
      return error(node, "`" + name + "` is no variable: `let` makes one");
    KILN_TRY(variables_[name], value(node.items[0]));
    return {};
  }
  case Kind::Block:
    for (const Node &item : node.items) KILN_CHECK(statement(item));
    return {};
  case Kind::If: {
    KILN_TRY(const bool holds, condition(node.items[0]));
    if (holds) return statement(node.items[1]);
    return node.items.size() == 3 ? statement(node.items[2]) : Result<void>();
  }
  case Kind::While:
    for (;;) {
      KILN_TRY(const bool holds, condition(node.items[0]));
      if (!holds) return {};
      KILN_CHECK(statement(node.items[1]));
    }
  case Kind::Store: return error(node, "an array stays as it is here: assign a new one");
  case Kind::Return: return error(node, "`return` is for functions");
  default: break;
  }
  if (node.kind != Kind::Call || node.name.text() != "print")
    return error(node, "the value of this is not used");
  std::string line;
  for (const Node &item : node.items) {
    KILN_TRY(Value printed, value(item));
    line += (line.empty() ? "" : " ") + language_->text(printed);
  }
  if (print) print(line);
  return {};
}

Result<bool> Program::condition(const Node &node) {
  KILN_TRY(Value holds, value(node));
  if (holds.type() == language_->types.builtins().Bool) return holds.low_bits() != 0;
  return error(node,
               "a condition is a bool, and this is " + language_->text(language_->types.type_of(holds)));
}

// ---- expressions

Result<Value> Program::value(const Node &node) {
  if (is_of_arrays(node)) return of_arrays(node);
  if (node.kind == Kind::Name)
    if (auto known = variables_.find(std::string(node.name.text())); known != variables_.end())
      return known->second;
  KILN_TRY(const Expression expression, close(node));
  TypeContext &types = language_->types;
  if (expression.length < 0) { // not an array: the host computes it
    Value result;
    KILN_CHECK(session_->define([&](World &) -> Result<void> {
      KILN_TRY(result, language_->interpreter.call(expression.closure, std::vector{types.int64(0)}));
      return {};
    }));
    return result;
  }
  KILN_TRY(TypeRef element, element_type(expression, node));
  KILN_TRY(Value result, new_array(element, expression.length));
  KILN_CHECK(launch("map", (expression.length + 255) / 256, {result, expression.closure}));
  return result;
}

/// Makes the closure of an expression over the current values of its names.
Result<Program::Expression> Program::close(const Node &node) {
  std::vector<Symbol> names;
  std::vector<Value> values;
  Expression made;
  KILN_CHECK(capture(node, false, names, values, made.length));
  TypeRef &type = closures_[&node];
  if (!type) {
    const auto file = language_->world.sources().file(node.at.file);
    std::string text(file->text().substr(node.at.begin, node.at.end - node.at.begin));
    const int before = texts_seen_[text]++;
    const std::string identity = fingerprint_of(text).hex().substr(0, 8) + "#" + std::to_string(before);
    KILN_CHECK(session_->define([&](World &) -> Result<void> {
      KILN_TRY(type, language_->define_expression(node, names, identity));
      return {};
    }));
  }
  std::vector<TypeRef> types;
  for (const Value &value : values) types.push_back(language_->types.type_of(value));
  if (values.empty()) {
    made.closure = Value::singleton(type);
  } else {
    KILN_TRY(TypeRef own, language_->types.apply(type, types));
    made.closure = Value::structure(own, std::move(values));
  }
  return made;
}

/// Collects the variables that an expression names, and its results of functions of whole arrays. Arrays used
/// element by element must have the same length; indexed arrays may have any.
Result<void> Program::capture(const Node &node, bool is_whole, std::vector<Symbol> &names,
                              std::vector<Value> &values, int64_t &length) {
  Symbol name = node.name;
  Value value;
  if (is_of_arrays(node)) {
    name = field_of(language_->types, node);
    KILN_TRY(value, of_arrays(node));
  } else if (node.kind == Kind::Name) {
    auto known = variables_.find(std::string(name.text()));
    if (known == variables_.end()) return {}; // a function; otherwise the body reports the error
    value = known->second;
  } else {
    for (size_t i = 0; i < node.items.size(); i++)
      KILN_CHECK(capture(node.items[i], node.kind == Kind::Index && i == 0, names, values, length));
    return {};
  }
  if (const HostArray *array = value.as_array(); array && !is_whole) {
    if (length >= 0 && length != array->length())
      return error(node, "this array has " + std::to_string(array->length()) +
                             " elements, and those before it " + std::to_string(length));
    length = array->length();
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return {};
  names.push_back(name);
  values.push_back(std::move(value));
  return {};
}

/// Evaluates sum(x), min(x), range(n), length(x), [a, b].
Result<Value> Program::of_arrays(const Node &node) {
  TypeContext &types = language_->types;
  if (node.kind == Kind::List) {
    std::vector<Value> items;
    for (const Node &item : node.items) {
      KILN_TRY(Value each, value(item));
      if (!items.empty() && each.type() != items[0].type())
        return error(item, "this is " + language_->text(types.type_of(each)) +
                               ", and the elements before it are " +
                               language_->text(types.type_of(items[0])));
      items.push_back(std::move(each));
    }
    if (items.empty()) return error(node, "an array has at least one element");
    KILN_TRY(Value array, new_array(items[0].type(), int64_t(items.size())));
    std::byte *to = array.as_array()->bytes.data();
    for (const Value &item : items) {
      KILN_TRY(auto bytes, to_bytes(types, item));
      to = std::copy(bytes.begin(), bytes.end(), to);
    }
    return array;
  }
  const std::string name(node.name.text());
  const Node &argument = node.items[0];
  if (name == "range" || name == "length") {
    KILN_TRY(Value of, value(argument));
    const HostArray *array = of.as_array();
    if (name == "length")
      return array ? types.int64(array->length()) : Result<Value>(error(argument, "this is no array"));
    const int64_t count = int64_t(of.low_bits());
    if (of.type() != types.builtins().Int64 || count < 1 || count > 1 << 30)
      return error(argument, "a range has 1 to 2^30 elements, an i64");
    KILN_TRY(Value range, new_array(types.builtins().Int64, count));
    auto *to = reinterpret_cast<int64_t *>(range.as_array()->bytes.data());
    for (int64_t i = 0; i < count; i++) to[i] = i;
    return range;
  }
  KILN_TRY(const Expression expression, close(argument));
  if (expression.length < 0) return error(argument, "`" + name + "` is of an array, and this is none");
  KILN_TRY(Value op, language_->function(name == "sum" ? "+" : name == "product" ? "*" : name));
  // Kernels fold until one element is left: up to 256 blocks first, then one block.
  KILN_TRY(TypeRef element, element_type(expression, node));
  Value folded = expression.closure;
  for (int64_t left = expression.length, blocks = 0; blocks != 1; left = blocks) {
    blocks = std::min<int64_t>((left + 255) / 256, 256);
    KILN_TRY(Value partial, new_array(element, blocks));
    KILN_CHECK(launch("reduce", blocks, {partial, op, folded, types.int64(left)}));
    folded = partial;
  }
  return from_bytes(types, element, folded.as_array()->bytes.data());
}

Result<TypeRef> Program::element_type(const Expression &expression, const Node &node) {
  TypeContext &types = language_->types;
  KILN_TRY(Value seen, kernel_value(*session_, expression.closure));
  ResolvedCall call = call_of(language_->world, seen, std::vector{types.builtins().Int64});
  call.at = language_->world.sources().locate(node.at);
  KILN_TRY(Job job, kiln::job(*session_, call, {.kernel = false}));
  KILN_TRY(TypeRef element, return_type(job));
  const auto &t = types.builtins();
  if (element == t.Int64 || element == t.Float32 || element == t.Float64 || element == t.Bool) return element;
  KILN_CHECK(job.compile(ArtifactKind::Assembly)); // reports its errors
  return error(node,
               "elements of an array are i64, f32, f64 or bool, and these are " + language_->text(element));
}

Result<Value> Program::new_array(TypeRef element, int64_t length) {
  TypeContext &types = language_->types;
  auto array = std::make_shared<HostArray>();
  array->element = element;
  array->dims = {length};
  array->bytes.resize(size_t(length) * layout_of(types, element)->size);
  KILN_TRY(TypeRef type,
           types.apply(types.builtins().Array, std::vector{element, types.constant(int64_t(1))}));
  return Value::array(type, std::move(array));
}

Result<void> Program::launch(std::string_view kernel, int64_t blocks, const std::vector<Value> &arguments) {
  KILN_TRY(Value function, language_->function(kernel));
  if (on_ptx) {
    KILN_TRY(const ResolvedCall call, call_of(*session_, function, arguments));
    KILN_TRY(Job job, kiln::job(*session_, call, {.target = PtxOptions{}}));
    KILN_TRY(auto ptx, job.compile(ArtifactKind::Assembly));
    on_ptx(ptx->bytes);
  }
  const LaunchShape shape{.blocks = {uint32_t(std::min<int64_t>(blocks, 65535)), 1, 1},
                          .threads = {256, 1, 1}};
  return kiln::launch(*session_, device_, function, shape, arguments);
}

} // namespace infix
