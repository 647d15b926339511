// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the builtins that need neither method dispatch nor memory.
#include "fold.h"
#include "host_arrays.h"

namespace kiln {

namespace {

// Index, from 0, of the field that a name or number selects; -1: the type has no such field.
int field_of(TypeContext &types, const DataType *type, const Value &which) {
  if (Symbol name = which.as_symbol()) return types.field_index(type, name);
  auto index = integer_of(types, which);
  return index && *index >= 1 && *index <= int64_t(types.field_count(type)) ? int(*index - 1) : -1;
}

// Struct type whose fields a type has; for the UnionAll type `P{T} where T` it is P{T}. Null: not a struct
// type.
const DataType *structure_of(TypeRef type) {
  const TypeRef original = type;
  while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
  const auto *data = type ? type->as<DataType>() : nullptr;
  return data && data != original && (data->is_tuple() || data->is_named_tuple()) ? nullptr : data;
}

/// Number of names of a NamedTuple whose types may be unknown. Empty: another type, or unknown names.
std::optional<size_t> names_of_named_tuple(TypeRef type) {
  while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
  const auto *data = type ? type->as<DataType>() : nullptr;
  const auto *names = data && data->is_named_tuple() ? data->params()[0]->as<ConstType>() : nullptr;
  if (!names) return std::nullopt;
  const auto *fields = names->value().fields();
  return fields ? fields->size() : 0;
}

Value field_value(TypeContext &types, const Value &object, size_t index) {
  if (const auto *fields = object.fields(); fields && index < fields->size()) return (*fields)[index];
  if (MutableObject *m = object.as_mutable()) return m->fields[index];
  // A singleton stores no fields. Each of its fields is a singleton, too.
  return types.singleton_value(types.field_types(object.type()->as<DataType>())[index]);
}

} // namespace

Result<std::optional<Value>> apply_builtin(TypeContext &types, Intrinsic op, std::span<const Value> a) {
  using Maybe = std::optional<Value>;
  auto type_at = [&](size_t i) { return i < a.size() ? a[i].as_type() : nullptr; };
  auto fail = [](ErrorCode code, std::string message) { return Error(code, std::move(message)); };
  switch (op) {
  case Intrinsic::egal: return Maybe(types.boolean(egal(a[0], a[1])));
  case Intrinsic::isa: {
    TypeRef t = type_at(1);
    if (!t) return fail(ErrorCode::TypeError, "isa takes a type as its second argument");
    return Maybe(types.boolean(is_subtype(types, types.type_of(a[0]), t)));
  }
  case Intrinsic::subtype:
    if (!type_at(0) || !type_at(1)) return fail(ErrorCode::TypeError, "<: takes types");
    return Maybe(types.boolean(is_subtype(types, type_at(0), type_at(1))));
  case Intrinsic::typeof_: return Maybe(Value::type_value(types, a[0].type()));
  case Intrinsic::typeassert: {
    TypeRef t = type_at(1);
    if (!t || !is_subtype(types, types.type_of(a[0]), t))
      return fail(ErrorCode::TypeError, fmt::format("in typeassert, expected {}, got a value of type {}",
                                                    t ? spell(t) : spell(a[1]), spell(a[0].type())));
    return Maybe(a[0]);
  }
  case Intrinsic::tuple: return Maybe(tuple_value(types, a));
  case Intrinsic::getfield: {
    if (ExprObject *expr = a[0].as_expr()) {
      std::string_view name = a[1].as_symbol() ? a[1].as_symbol().text() : std::string_view();
      const bool is_quote_node = a[0].type() == types.builtins().QuoteNode;
      if (is_quote_node && name == "value" && !expr->args.empty()) return Maybe(expr->args[0]);
      if (!is_quote_node && name == "head") return Maybe(Value::symbol(types, expr->head));
      if (is_quote_node || name != "args")
        return fail(ErrorCode::FieldError,
                    fmt::format("type {} has no field {}", spell(a[0].type()), spell(a[1])));
      expr->array->element = types.builtins().Any;
      expr->array->dims = {int64_t(expr->args.size())};
      return Maybe(array_value(types, expr->array));
    }
    if (TypeRef of = a[0].as_type()) {
      KILN_TRY(Value value, type_field(types, of, a[1]));
      return Maybe(std::move(value));
    }
    const DataType *type = a[0].type()->as<DataType>();
    if (!type || a[0].as_module()) return Maybe();
    if (const HostObject *object = a[0].as_object()) {
      Symbol name = a[1].as_symbol();
      if (auto number = integer_of(types, a[1]); number && *number >= 1)
        if (auto names = types.field_names(type); size_t(*number) <= names.size())
          name = names[size_t(*number - 1)];
      if (name)
        if (Value field = object->field(types, name)) return Maybe(std::move(field));
      return fail(ErrorCode::FieldError, fmt::format("type {} has no field `{}`", spell(type), spell(a[1])));
    }
    int index = field_of(types, type, a[1]);
    if (index < 0) {
      if (a[1].as_symbol())
        return fail(ErrorCode::FieldError,
                    fmt::format("type {} has no field `{}`", spell(a[0].type()), a[1].as_symbol().text()));
      return fail(ErrorCode::BoundsError,
                  fmt::format("attempt to access {} at index [{}]", spell(type), spell(a[1])));
    }
    Value field = field_value(types, a[0], size_t(index));
    if (!field && types.is_isbits(types.field_types(type)[size_t(index)])) { // bits are never undefined
      const TypeRef bits = types.field_types(type)[size_t(index)];
      const std::vector<std::byte> zeros(layout_of(types, bits)->size);
      KILN_TRY(field, from_bytes(types, bits, zeros.data()));
    }
    if (!field) return fail(ErrorCode::UndefRefError, "access to undefined reference");
    return Maybe(std::move(field));
  }
  case Intrinsic::setfield: {
    if (ExprObject *expr = a[0].as_expr()) {
      if (a[1].as_symbol() == types.symbol("head") && a[2].as_symbol())
        expr->head = a[2].as_symbol();
      else if (a[1].as_symbol() == types.symbol("args") && a[2].as_array() && a[2].as_array()->bytes.empty())
        expr->args = a[2].as_array()->values;
      else
        return fail(ErrorCode::TypeError,
                    fmt::format("field {} of an Expr cannot be set to a value of type {}", spell(a[1]),
                                spell(a[2].type())));
      return Maybe(a[2]);
    }
    const DataType *type = a[0].type()->as<DataType>();
    MutableObject *m = a[0].as_mutable();
    int index = m ? field_of(types, type, a[1]) : -1;
    if (index < 0)
      return fail(ErrorCode::FieldError,
                  fmt::format("cannot set field {} of a value of type {}", spell(a[1]), spell(a[0].type())));
    if (!is_subtype(types, types.type_of(a[2]), types.field_types(type)[size_t(index)]))
      return fail(ErrorCode::TypeError, fmt::format("field {} of {} cannot hold a value of type {}",
                                                    spell(a[1]), spell(a[0].type()), spell(a[2].type())));
    m->fields[size_t(index)] = a[2];
    return Maybe(a[2]);
  }
  case Intrinsic::nfields: {
    const DataType *type = a[0].type()->as<DataType>();
    return Maybe(types.int64(type ? int64_t(types.field_count(type)) : 0));
  }
  case Intrinsic::isdefined: {
    const DataType *type = a[0].type()->as<DataType>();
    const int field = type ? field_of(types, type, a[1]) : -1;
    const MutableObject *object = a[0].as_mutable();
    const std::vector<Value> *fields = object ? &object->fields : a[0].fields();
    const bool is_unset = // a constructor may leave fields out, but bits are never undefined
        fields && size_t(field) < fields->size() && !(*fields)[size_t(field)] &&
        !types.is_isbits(types.field_types(type)[size_t(field)]);
    return Maybe(types.boolean(field >= 0 && !is_unset));
  }
  case Intrinsic::ifelse:
    if (a[0].type() != types.builtins().Bool) return fail(ErrorCode::TypeError, "ifelse takes a Bool");
    return Maybe(a[0].low_bits() ? a[1] : a[2]);
  case Intrinsic::apply_type: {
    TypeRef base = type_at(0);
    if (!base)
      return fail(ErrorCode::TypeError, fmt::format("{} is not a type that takes parameters", spell(a[0])));
    std::vector<TypeRef> params;
    for (const Value &v : a.subspan(1)) params.push_back(v.as_type() ? v.as_type() : types.constant(v));
    if (params.empty() && base == types.builtins().Union)
      return Maybe(Value::type_value(types, types.bottom())); // Union{}
    if (params.empty())
      return Maybe(base == types.builtins().Tuple ? Value::type_value(types, types.tuple({})) : a[0]);
    KILN_TRY(TypeRef applied, types.apply(base, params));
    return Maybe(Value::type_value(types, applied));
  }
  case Intrinsic::fieldtype: {
    const DataType *type = type_at(0) ? type_at(0)->as<DataType>() : nullptr;
    if (const auto names = names_of_named_tuple(type_at(0)); names && !type)
      if (auto index = integer_of(types, a[1]); index && *index >= 1 && *index <= int64_t(*names))
        return Maybe(Value::type_value(types, types.builtins().Any));
    std::vector<const TypeVar *> vars; // of a where-type, whose fields have where-types
    TypeRef body = type_at(0);
    if (body && !type) types.unwrap_all(body, vars, body);
    if (!type && body) type = body->as<DataType>();
    int index = type ? field_of(types, type, a[1]) : -1;
    if (index < 0)
      return fail(ErrorCode::FieldError, fmt::format("{} has no field {}", spell(a[0]), spell(a[1])));
    TypeRef of = types.field_types(type)[size_t(index)];
    if (const auto *var = of->as<TypeVar>(); var && !vars.empty()) of = var->upper();
    for (size_t i = vars.size(); i-- > 0;) of = types.union_all(vars[i], of);
    return Maybe(Value::type_value(types, of));
  }
  case Intrinsic::fieldcount_: {
    const DataType *type = structure_of(type_at(0));
    if (const auto names = names_of_named_tuple(type_at(0))) return Maybe(types.int64(int64_t(*names)));
    if (!type)
      return fail(ErrorCode::ArgumentError, fmt::format("{} has no definite number of fields", spell(a[0])));
    return Maybe(types.int64(int64_t(types.field_count(type))));
  }
  case Intrinsic::fieldname_: {
    const DataType *type = structure_of(type_at(0));
    auto index = integer_of(types, a[1]);
    auto names = type ? types.field_names(type) : std::span<const Symbol>();
    if (type && type->is_tuple() && index && *index >= 1 && *index <= int64_t(types.field_count(type)))
      return Maybe(types.int64(*index)); // a tuple's fields have numbers
    if (!index || *index < 1 || *index > int64_t(names.size()))
      return fail(ErrorCode::BoundsError, fmt::format("{} has no field {}", spell(a[0]), spell(a[1])));
    return Maybe(Value::symbol(types, names[size_t(*index - 1)]));
  }
  case Intrinsic::fieldoffset_: {
    const Layout *layout = type_at(0) ? layout_of(types, type_at(0)) : nullptr;
    auto index = integer_of(types, a[1]);
    if (!layout || !index || *index < 1 || *index > int64_t(layout->offsets.size()))
      return fail(ErrorCode::BoundsError, fmt::format("{} has no field {}", spell(a[0]), spell(a[1])));
    return Maybe(types.int64(int64_t(layout->offsets[size_t(*index - 1)])));
  }
  case Intrinsic::sizeof_type:
  case Intrinsic::alignof_type: {
    const Layout *layout = type_at(0) ? layout_of(types, type_at(0)) : nullptr;
    if (!layout)
      return fail(ErrorCode::ArgumentError, fmt::format("{} does not have a definite size", spell(a[0])));
    return Maybe(types.int64(int64_t(op == Intrinsic::sizeof_type ? layout->size : layout->align)));
  }
  case Intrinsic::isbits_type: return Maybe(types.boolean(type_at(0) && types.is_isbits(type_at(0))));
  case Intrinsic::isconcrete_type: return Maybe(types.boolean(type_at(0) && types.is_concrete(type_at(0))));
  case Intrinsic::ismutable_type: {
    const DataType *type = type_at(0) ? type_at(0)->as<DataType>() : nullptr;
    return Maybe(types.boolean(type && type->name().is_mutable));
  }
  case Intrinsic::supertype_: {
    std::vector<const TypeVar *> vars;
    TypeRef body = type_at(0);
    if (body) types.unwrap_all(body, vars, body);
    const DataType *type = body ? body->as<DataType>() : nullptr;
    if (!type) return fail(ErrorCode::TypeError, fmt::format("{} has no supertype", spell(a[0])));
    TypeRef above = types.super(type);
    for (size_t i = vars.size(); i-- > 0;) above = types.union_all(vars[i], above);
    return Maybe(Value::type_value(types, above));
  }
  case Intrinsic::tuple_type_tail: {
    const DataType *type = type_at(0) ? type_at(0)->as<DataType>() : nullptr;
    if (!type || !type->is_tuple() || type->params().empty())
      return fail(ErrorCode::ArgumentError, "cannot take the tail of an empty tuple type");
    return Maybe(Value::type_value(types, types.tuple(type->params().subspan(1))));
  }
  case Intrinsic::type_parameter: {
    const DataType *type = type_at(0) ? type_at(0)->as<DataType>() : nullptr;
    auto index = integer_of(types, a[1]);
    if (!type || !index || *index < 1 || *index > int64_t(type->params().size()))
      return fail(ErrorCode::BoundsError, fmt::format("{} has no parameter {}", spell(a[0]), spell(a[1])));
    TypeRef parameter = type->params()[size_t(*index - 1)];
    const auto *constant = parameter->as<ConstType>();
    return Maybe(constant ? constant->value() : Value::type_value(types, parameter));
  }
  case Intrinsic::type_union: {
    std::vector<TypeRef> members;
    for (const Value &v : a) {
      if (!v.as_type()) return fail(ErrorCode::TypeError, fmt::format("{} is not a type", spell(v)));
      members.push_back(v.as_type());
    }
    return Maybe(Value::type_value(types, types.union_of(members)));
  }
  case Intrinsic::newtuple_: {
    const DataType *type = type_at(0) ? type_at(0)->as<DataType>() : nullptr;
    if (!type || types.field_count(type) != a.size() - 1)
      return fail(ErrorCode::ArgumentError,
                  fmt::format("{} does not have {} fields", spell(a[0]), a.size() - 1));
    if (type->name().is_mutable) return Maybe(Value::mutable_structure(type, {a.begin() + 1, a.end()}));
    if (types.is_singleton(type)) return Maybe(types.singleton_value(type));
    return Maybe(Value::structure(type, {a.begin() + 1, a.end()}));
  }
  case Intrinsic::modifiable_copy: {
    const DataType *type = a[0].type()->as<DataType>();
    int index = type ? field_of(types, type, a[1]) : -1;
    if (index < 0 || !a[0].fields())
      return fail(ErrorCode::BoundsError,
                  fmt::format("attempt to access {} at index [{}]", spell(a[0]), spell(a[1])));
    std::vector<Value> fields = *a[0].fields();
    fields[size_t(index)] = a[2];
    return Maybe(Value::structure(type, std::move(fields)));
  }
  case Intrinsic::symbol_concat: return Maybe(Value::symbol(types, types.symbol(text_of_values(a))));
  case Intrinsic::message_text: return Maybe(Value::string(types, text_of_values(a)));
  case Intrinsic::typeintersect:
    if (!type_at(0) || !type_at(1)) return fail(ErrorCode::TypeError, "typeintersect takes types");
    return Maybe(Value::type_value(types, intersect(types, type_at(0), type_at(1))));
  case Intrinsic::name_of: {
    if (const Module *module = a[0].as_module()) return Maybe(Value::symbol(types, module->name()));
    TypeRef type = a[0].as_type();
    if (!type && a[0].type()->is<DataType>() && a[0].type()->as<DataType>()->name().is_function)
      return Maybe(Value::symbol(types, a[0].type()->as<DataType>()->name().function_name));
    while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
    if (const auto *var = type ? type->as<TypeVar>() : nullptr)
      return Maybe(Value::symbol(types, var->name()));
    const auto *data = type ? type->as<DataType>() : nullptr;
    if (!data) return fail(ErrorCode::MethodError, fmt::format("{} has no name", spell(a[0])));
    return Maybe(Value::symbol(types, data->name().name));
  }
  case Intrinsic::nothrow_: return Maybe(a[0]);
  case Intrinsic::foreign_call: // functions on constant strings; others exist only in compiled code
    return fold_string_function(types, a);
  default: return Maybe(fold_numeric(types, op, a));
  }
}

std::optional<Value> fold_string_function(TypeContext &types, std::span<const Value> args) {
  std::string_view name =
      args.empty() || !args[0].as_symbol() ? std::string_view() : args[0].as_symbol().text();
  constexpr std::string_view prefix = "kiln.string_";
  const std::string *text = name.starts_with(prefix) && args.size() > 3 ? args[3].as_string() : nullptr;
  const std::string *other = args.size() > 4 ? args[4].as_string() : nullptr;
  if (!text) return std::nullopt;
  name.remove_prefix(prefix.size());
  // True for the first byte of a UTF-8 character. The others have the form 10xxxxxx.
  auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  if (name == "size") return types.int64(int64_t(text->size()));
  if (name == "length") return types.int64(std::count_if(text->begin(), text->end(), begins));
  if (name == "compare" && other) return types.int64(*text < *other ? -1 : *text != *other);
  if (name != "last") return std::nullopt;
  size_t last = text->size();
  while (last > 1 && !begins((*text)[last - 1])) --last;
  return types.int64(int64_t(last));
}

std::optional<Value> fold_intrinsic(TypeContext &types, Intrinsic intrinsic, std::span<const Value> args) {
  auto value = apply_builtin(types, intrinsic, args);
  return value.ok() ? std::move(*value) : std::nullopt;
}

} // namespace kiln
