// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "names.h"

#include <charconv>
#include <cstring>

namespace lisp {

using namespace kiln;

Names::Names(World &of)
    : world(of), types(of.types()), library(*of.module(of.types().symbol("Lisp"), nullptr)) {
  for (uint32_t i = 0; i < uint32_t(Intrinsic::Count); i++)
    intrinsics_.emplace(info(Intrinsic(i)).name, Intrinsic(i));
  const auto &t = types.builtins();
  aliases_ = {{t.Int32, "i32"},   {t.Int64, "i64"},   {t.UInt32, "u32"}, {t.UInt64, "u64"},
              {t.Float32, "f32"}, {t.Float64, "f64"}, {t.Bool, "bool"}};
  for (auto [type, alias] : aliases_) {
    add_to_library(types.symbol(alias));
    // The module is new, so that its name cannot be bound yet.
    (void)world.set_constant(library, types.symbol(alias), Value::type_value(types, type), {});
  }
}

Module &Names::home(Module &into, Symbol name) { return own_.contains(name) ? library : into; }

Result<Operand> Names::operand(BodyBuilder &body, Module &into, const Node &name) {
  if (name.text()[0] == '%' || name.text().find('.') != std::string_view::npos) {
    KILN_TRY(Value found, value(into, name));
    return body.constant(std::move(found));
  }
  return body.global(&home(into, name.name), name.name); // looked up in the job's world: it may change
}

Result<Value> Names::value(Module &into, const Node &name) {
  const std::string_view text = name.text();
  if (text[0] == '%') {
    if (auto found = intrinsics_.find(text.substr(1)); found != intrinsics_.end())
      return world.intrinsic_value(found->second);
    return error(name, ErrorCode::UndefVarError, "there is no intrinsic " + std::string(text.substr(1)));
  }
  if (text.find('.') != text.npos) {
    auto found = find_value(world, text);
    if (found.ok()) return found;
    Error unknown = found.take_error();
    unknown.diagnostics()[0].at = world.sources().locate(name.at);
    return unknown;
  }
  KILN_TRY(auto found, world.lookup(home(into, name.name), name.name, world.age()));
  if (found) return *found;
  return error(name, ErrorCode::UndefVarError, "`" + std::string(text) + "` is not defined",
               world.undefined_hint(into, name.name));
}

Result<TypeRef> Names::type(Module &into, const Node &node, const TypeVariables &variables,
                            bool in_signature) {
  if (node.kind == Node::Kind::Literal) return types.constant(node.literal); // such as 2 in (Array f32 2)
  if (node.is_name()) {
    for (const TypeVar *variable : variables)
      if (variable->name() == node.name) return TypeRef(variable);
    KILN_TRY(Value found, value(into, node));
    if (TypeRef type = found.as_type()) return type;
    return error(node, ErrorCode::TypeError, "`" + std::string(node.text()) + "` is no type");
  }
  if (node.items.empty() || !node.items[0].is_name())
    return error(node, ErrorCode::SyntaxError, "this is no type");
  std::vector<TypeRef> parameters;
  for (size_t i = 1; i < node.items.size(); i++) {
    KILN_TRY(TypeRef parameter, type(into, node.items[i], variables, in_signature));
    parameters.push_back(parameter);
  }
  if (node.starts("Tuple")) return types.tuple(parameters);
  if (node.starts("Union")) return types.union_of(parameters);
  if (node.starts("Type") && parameters.size() == 1) return types.type_of_type(parameters[0]);
  if (node.starts("Array")) {
    if (parameters.empty() || parameters.size() > 2)
      return error(node, ErrorCode::SyntaxError,
                   "an array's type is (Array Type) or (Array Type dimensions)");
    if (parameters.size() == 1) parameters.push_back(types.constant(int64_t(1)));
    const Node &rank = node.items.back();
    if (node.items.size() == 3 && rank.literal.type() != types.builtins().Int64)
      return error(rank, ErrorCode::TypeError, "the number of dimensions is a literal integer");
    return array_type(world, parameters[0], int64_t(parameters[1]->as<ConstType>()->value().low_bits()),
                      in_signature);
  }
  KILN_TRY(TypeRef generic, type(into, node.items[0], variables, in_signature));
  auto applied = types.apply(generic, parameters);
  if (applied.ok()) return applied;
  Error wrong = applied.take_error();
  wrong.diagnostics()[0].at = world.sources().locate(node.at);
  return wrong;
}

std::string Names::text(TypeRef type) const {
  if (auto alias = aliases_.find(type); alias != aliases_.end()) return std::string(alias->second);
  if (const auto *constant = type->as<ConstType>()) return text(constant->value());
  const auto *data = type->as<DataType>();
  if (!data) return to_string(type);
  if (data->name().is_function) return std::string(data->name().function_name.text());
  auto parameters = data->params();
  std::string name(data->name().name.text());
  if (name == "CuDeviceArray") name = "Array", parameters = parameters.first(2); // all in global memory
  if (parameters.empty()) return name;
  for (TypeRef parameter : parameters) name += " " + text(parameter);
  return "(" + name + ")";
}

namespace {

std::string number_text(TypeContext &types, TypeRef type, uint64_t bits) {
  char digits[64];
  auto print = [&](auto value) {
    std::memcpy(&value, &bits, sizeof value);
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  };
  const auto &t = types.builtins();
  if (type == t.Float32) return print(0.0f);
  if (type == t.Float64) return print(0.0);
  if (type == t.Int32) return print(int32_t());
  return types.is_signed(type) ? print(int64_t()) : print(uint64_t());
}

} // namespace

std::string Names::text(const Value &value) const {
  if (TypeRef type = value.as_type()) return text(type);
  if (const std::string *string = value.as_string()) return *string;
  if (Symbol symbol = value.as_symbol()) return std::string(symbol.text());
  TypeRef type = value.type();
  if (type == types.builtins().Bool) return value.low_bits() ? "true" : "false";
  if (value.is_primitive() && (types.is_integer(type) || types.is_float(type)))
    return number_text(types, type, value.low_bits());
  std::string out;
  if (const HostArray *array = value.as_array()) {
    const Layout *layout = layout_of(types, array->element);
    for (size_t i = 0; layout && i < size_t(array->length()); i++)
      if (auto element = from_bytes(types, array->element, array->bytes.data() + i * layout->size);
          element.ok())
        out += (out.empty() ? "" : " ") + text(*element);
    return "[" + out + "]";
  }
  const auto *fields = value.fields();
  const auto *data = type->as<DataType>();
  if (!fields || !data || data->name().is_function || fields->empty()) return to_string(value);
  for (const Value &field : *fields) out += " " + text(field);
  return "(" + std::string(data->name().name.text()) + out + ")";
}

} // namespace lisp
