// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads fields of type objects: T.parameters, T.name.wrapper, T.body. They are constants, so that generators
// and compiled code may use them.
#include "fold.h"

namespace kiln {

Value tuple_value(TypeContext &types, std::span<const Value> elements) {
  std::vector<TypeRef> kinds;
  for (const Value &v : elements) kinds.push_back(v.type());
  TypeRef made = types.tuple(kinds);
  // A host object has contents even if its type has no fields.
  const bool has_object = std::ranges::any_of(elements, [](const Value &v) { return v.as_object(); });
  return types.is_singleton(made) && !has_object ? types.singleton_value(made)
                                                 : Value::structure(made, {elements.begin(), elements.end()});
}

/// Text of a value as `print` writes it, which differs from `show` for strings, symbols, Char and unsigned
/// integers.
static std::string printed(const Value &v) {
  if (v.as_string()) return *v.as_string();
  if (Symbol name = v.as_symbol()) return std::string(name.text());
  const auto *data = v.type()->as<DataType>();
  const std::string_view type = data && data->name().module == "Core" ? data->name().name.text() : "";
  if (type == "Char") { // the value holds the character's UTF-8 bytes, the first in the highest byte
    std::string text(1, char(v.low_bits() >> 24));
    for (int shift = 16; shift >= 0; shift -= 8)
      if (const char byte = char(v.low_bits() >> shift)) text += byte;
    return text;
  }
  if (type.starts_with("UInt") && type != "UInt128") return fmt::format("{}", v.low_bits());
  return to_string(v);
}

std::string text_of_values(std::span<const Value> values) {
  std::string text;
  for (const Value &v : values) text += printed(v);
  return text;
}

static Value parameter_value(TypeContext &types, TypeRef parameter) {
  const auto *constant = parameter->as<ConstType>();
  return constant ? constant->value() : Value::type_value(types, parameter);
}

Result<Value> type_field(TypeContext &types, TypeRef type, const Value &name) {
  const std::string_view field = name.as_symbol() ? name.as_symbol().text() : std::string_view();
  auto of_type = [&](TypeRef t) { return Value::type_value(types, t); };
  auto tuple_of = [&](std::span<const TypeRef> parts) {
    std::vector<Value> values;
    for (TypeRef part : parts) values.push_back(parameter_value(types, part));
    return tuple_value(types, values);
  };
  if (field == "is_abstract__") { // isabstracttype(T)
    while (const auto *all = type->as<UnionAllType>()) type = all->body();
    const auto *of = type->as<DataType>();
    return types.boolean(of && of->is_abstract());
  }
  if (const auto *data = type->as<DataType>()) {
    if (field == "parameters") return tuple_of(data->params());
    if (field == "super") return of_type(types.super(data));
    if (field == "types") return tuple_of(types.field_types(data));
    if (field == "instance" && types.is_singleton(data)) return types.singleton_value(data);
    if (field == "name" || field == "name__") { // the two fields of TypeName that code uses, as a named tuple
      const Symbol names[] = {types.symbol("name"), types.symbol("wrapper")};
      const Value values[] = {Value::symbol(types, data->name().name),
                              of_type(data->name().wrapper ? data->name().wrapper : type)};
      const TypeRef kinds[] = {values[0].type(), values[1].type()};
      return Value::structure(types.named_tuple(names, kinds), {values[0], values[1]});
    }
  } else if (const auto *all = type->as<UnionAllType>()) {
    if (field == "field_names__") { // fieldnames(T)
      while (const auto *inner = type->as<UnionAllType>()) type = inner->body();
      std::vector<Value> names;
      if (const auto *data = type->as<DataType>())
        for (Symbol name : data->name().field_names) names.push_back(Value::symbol(types, name));
      return tuple_value(types, names);
    }
    if (field == "name__") { // Base.typename(T)
      while (const auto *inner = type->as<UnionAllType>()) type = inner->body();
      return type_field(types, type, Value::symbol(types, types.symbol("name")));
    }
    if (field == "body") return of_type(all->body());
    if (field == "var") return of_type(all->var());
  } else if (const auto *var = type->as<TypeVar>()) {
    if (field == "name") return Value::symbol(types, var->name());
    if (field == "lb") return of_type(var->lower());
    if (field == "ub") return of_type(var->upper());
  } else if (const auto *either = type->as<UnionType>()) {
    if (field == "a") return of_type(either->members()[0]);
    if (field == "b") return of_type(types.union_of(either->members().subspan(1)));
  }
  return make_error(ErrorCode::FieldError,
                    fmt::format("the type {} has no field `{}` that Kiln knows", spell(type), spell(name)));
}

} // namespace kiln
