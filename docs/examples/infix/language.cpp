// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "language.h"

#include "prelude.h"

#include <charconv>
#include <cstring>

namespace infix {

using namespace kiln;

Language::Language(const LanguageHost &host)
    : world(host.world), types(world.types()), interpreter(host.interpreter),
      library_(*world.module(types.symbol("Infix"), nullptr)) {
  const auto &t = types.builtins();
  names_of_types_ = {
      {"i64", t.Int64}, {"f32", t.Float32}, {"f64", t.Float64}, {"bool", t.Bool}, {"i32", t.Int32}};
  names_of_types_.push_back({"number", types.union_of({t.Int64, t.Float32, t.Float64})});
  names_of_types_.push_back({"array", t.Array}); // host arrays
}

/// Defines the join rule: the wider of two number types, in the order i64, f32, f64. Operators use the same
/// rule.
Result<void> Language::define_join() {
  numbers_ = std::make_shared<JoinRule>();
  numbers_->name = "infix.numbers";
  numbers_->version = "1";
  numbers_->join = [](TypeContext &types, TypeRef a, TypeRef b) -> TypeRef {
    const auto &t = types.builtins();
    auto rank = [&](TypeRef type) {
      return type == t.Int64 ? 1 : type == t.Float32 ? 2 : type == t.Float64 ? 3 : 0;
    };
    if (!rank(a) || !rank(b)) return nullptr; // a union: an error where it becomes an array's element
    return rank(a) < rank(b) ? b : a;
  };
  KILN_TRY(numbers_->convert, find_value(world, "Base.convert"));
  return {};
}

Result<void> Language::load_library(World &, std::span<const OverlayFiles>) {
  KILN_CHECK(define_join());
  auto file = world.sources().add("infix/prelude.infix", std::string(prelude), true);
  KILN_TRY(auto nodes, parse(types, *file));
  in_library_ = true;
  for (const Node &node : nodes) library_names_.insert(node.name);
  for (const Node &node : nodes) KILN_CHECK(define(library_, node));
  in_library_ = false;
  return {};
}

// ---- definitions

Result<LoadReport> Language::load(World &, Module &into, std::shared_ptr<const SourceFile> file) {
  LoadReport report;
  KILN_TRY(auto nodes, parse(types, *file));
  for (const Node &node : nodes)
    if (node.kind == Node::Kind::Function) {
      KILN_CHECK(define(into, node));
      report.methods++;
    } else {
      report.skipped.push_back({"a statement, which Program::run runs", world.sources().locate(node.at)});
    }
  return report;
}

Result<LoadReport> Language::load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) {
  return input_error("infix has no overlays in files");
}

/// Reads a type: f32, i64, ...; [f32]: an array in a kernel; []: an array with any elements, in any memory.
Result<TypeRef> Language::read_type(const Node &parameter, std::vector<const TypeVar *> &where) {
  const bool is_array = parameter.type.starts_with("[");
  const std::string name = is_array ? parameter.type.substr(1, parameter.type.size() - 2) : parameter.type;
  if (parameter.type == "[]") {
    where.push_back(types.new_var(types.symbol("T"), types.bottom(), types.builtins().Any));
    return array_type(world, where.back(), 1, true);
  }
  for (const auto &[own, type] : names_of_types_)
    if (own == name) return is_array ? array_type(world, type, 1) : Result<TypeRef>(type);
  return make_error(ErrorCode::TypeError, "`" + name + "` is no type", world.sources().locate(parameter.at),
                    "types are i64, f32, f64, bool, and arrays of them such as [f32]");
}

Result<void> Language::define(Module &into, const Node &function) {
  Scope names = scope(into);
  MethodDefinition method{.module = &names.home(function.name), .name = function.name, .at = function.at};
  for (size_t i = 0; i + 1 < function.items.size(); i++) {
    const Node &item = function.items[i];
    names.parameters.push_back(item.name);
    method.parameters.push_back({item.name});
    if (!item.type.empty()) {
      KILN_TRY(method.parameters.back().type, read_type(item, method.where));
    }
  }
  method.hints.inline_ = method.hints.propagate_inbounds = in_library_;
  method.hints.join = numbers_;
  names.is_unchecked = in_library_ && function.is_kernel;
  method.body = [names, function](BodyBuilder &code) -> Result<Operand> {
    KILN_TRY(Operand value, lower(code, names, function.items.back()));
    return function.is_kernel ? Operand() : value;
  };
  auto defined = define_function(world, std::move(method));
  return defined.ok() ? Result<void>() : defined.take_error();
}

Result<TypeRef> Language::define_expression(const Node &expression, std::vector<Symbol> captures,
                                            const std::string &identity) {
  Scope names = scope(*world.main());
  names.captures = captures;
  MethodDefinition method{
      .module = world.main(), .name = types.symbol("expression#" + identity), .at = expression.at};
  method.parameters = {{types.symbol("i"), types.builtins().Int64}};
  method.hints.inline_ = true;
  method.hints.join = numbers_;
  method.body = [names, expression](BodyBuilder &code) { return lower(code, names, expression); };
  return define_closure(world, captures, std::move(method));
}

// ---- calls and values by text

Result<Value> Language::function(std::string_view name) {
  const Symbol symbol = types.symbol(name);
  KILN_TRY(auto found, world.lookup(scope(*world.main()).home(symbol), symbol, world.age()));
  if (found) return *found;
  return undefined_error(std::string(name), "`" + std::string(name) + "` is not defined");
}

Result<Value> Language::evaluate(World &, Module &in, std::string_view name, std::string_view text) {
  auto file = world.sources().add(std::string(name), std::string(text));
  KILN_TRY(auto nodes, parse(types, *file));
  if (nodes.size() != 1) return input_error("this is not one expression", {file, 0, uint32_t(text.size())});
  const Scope names = scope(in);
  return run_body(interpreter, in, types.symbol("expression"), nodes[0].at,
                  [&](BodyBuilder &code) { return lower(code, names, nodes[0]); });
}

/// Resolves a call: "f(f32, [f64])".
Result<ResolvedCall> Language::resolve_call(World &, Module &in, std::string_view name, std::string_view text,
                                            std::span<const Capture>) {
  auto file = world.sources().add(std::string(name), std::string(text));
  const Location at{file, 0, uint32_t(text.size())};
  const size_t open = std::min(text.find('('), text.size());
  KILN_TRY(Value callee, function(text.substr(0, open)));
  std::vector<TypeRef> arguments;
  for (size_t begin = open + 1, end; begin + 1 < text.size(); begin = end + 1) {
    end = std::min(text.find_first_of(",)", begin), text.size());
    while (text[begin] == ' ') begin++;
    const std::string own(text.substr(begin, end - begin));
    std::vector<const TypeVar *> where;
    auto type = read_type({.kind = Node::Kind::Parameter, .type = own}, where);
    if (!type.ok() || !where.empty()) {
      KILN_TRY(type, argument_type(world, in, own)); // in the form of Kiln's Argument
    }
    if (!type.ok() || !*type)
      return make_error(ErrorCode::TypeError, "`" + own + "` is no type of an argument", at);
    arguments.push_back(*type);
  }
  ResolvedCall call = call_of(world, callee, arguments);
  call.at = at;
  return call;
}

std::string Language::call_text(TypeRef tuple) const { return call_text(tuple->as<DataType>()->params()); }

std::string Language::call_text(std::span<const TypeRef> all) const {
  std::string arguments;
  for (TypeRef type : all.subspan(1)) arguments += (arguments.empty() ? "" : ", ") + text(type);
  return text(all[0]) + "(" + arguments + ")";
}

// ---- printing of types, values and messages

std::string Language::text(TypeRef type) const {
  for (const auto &[own, known] : names_of_types_)
    if (known == type) return own;
  const auto *data = type->as<DataType>();
  if (!data) return to_string(type);
  const std::string_view name = data->name().name.text();
  if (name == "CuDeviceArray" || name == "Array") return "[" + text(data->params()[0]) + "]";
  return data->name().is_function ? std::string(data->name().function_name.text()) : to_string(type);
}

std::string Language::text(const Value &value) const {
  const auto &t = types.builtins();
  if (const HostArray *array = value.as_array()) {
    std::string out;
    const size_t count = size_t(array->length()), size = count ? array->bytes.size() / count : 0;
    for (size_t i = 0; i < std::min<size_t>(count, 10); i++)
      if (auto element = from_bytes(types, array->element, array->bytes.data() + i * size); element.ok())
        out += (out.empty() ? "" : ", ") + text(*element);
    return "[" + out + (count > 10 ? ", ... " + std::to_string(count) + " elements]" : "]");
  }
  char digits[64];
  const uint64_t bits = value.low_bits();
  auto print = [&](auto number) {
    std::memcpy(&number, &bits, sizeof number);
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  };
  if (value.type() == t.Bool) return bits ? "true" : "false";
  if (value.type() == t.Int64) return print(int64_t());
  if (value.type() == t.Float32) return print(0.0f);
  return value.type() == t.Float64 ? print(0.0) : to_string(value);
}

namespace {

/// Prints messages in the language's spelling: f(i64, [f32]).
class InfixPrinter final : public Printer {
public:
  explicit InfixPrinter(const Language &language) : language_(language) {}
  std::string type(TypeRef type) const override { return language_.text(type); }
  std::string value(const Value &value) const override { return language_.text(value); }
  std::string call(std::span<const TypeRef> types) const override { return language_.call_text(types); }
  std::string job(std::span<const TypeRef> types) const override { return call(types); }

private:
  const Language &language_;
};

} // namespace

std::shared_ptr<const Printer> Language::printer() const { return std::make_shared<InfixPrinter>(*this); }

Error Language::at_own_places(Error error) const {
  for (Diagnostic &each : error.diagnostics()) {
    if (each.at && each.at.file->is_library()) each.at = place_of(each.stack);
    for (StackFrame &frame : each.stack) frame.function = frame.function.substr(0, frame.function.find('#'));
  }
  return error;
}

} // namespace infix
