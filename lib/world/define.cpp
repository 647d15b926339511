// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/define.h>

#include <kiln/extension/language/internal/world.h>
#include <kiln/extension/language/print.h>

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

Operand BodyBuilder::field(Operand object, Symbol name) {
  return intrinsic(Intrinsic::getfield, {object, constant(Value::symbol(types(), name))});
}

Operand BodyBuilder::type(TypeRef type) {
  if (type) return constant(Value::type_value(types(), type));
  misuse("takes a type that is null as a value");
  return nothing();
}

namespace {

/// Builds lowered code. `fill`: callback that emits the body or the generator of the definition.
template <class Fill>
Result<CodeInfo> build(World &world, const MethodDefinition &definition,
                       const std::vector<const TypeVar *> &static_params, const Fill &fill) {
  BodyBuilder body(world, definition.name, definition.at);
  CodeInfo &code = body.code();
  code.static_params = static_params;
  code.hints = definition.hints;
  body.add_argument(world.types().symbol("#self#"));
  for (const Parameter &parameter : definition.parameters) body.add_argument(parameter.name);
  code.is_vararg = !definition.parameters.empty() && definition.parameters.back().type &&
                   definition.parameters.back().type->is<VarargType>();
  KILN_TRY(Operand value, fill(body));
  if (!body.terminated()) body.return_(value ? value : body.nothing());
  return body.finish(&world.sources());
}

Error faulty(World &world, Span at, std::string message) {
  return input_error(std::move(message), world.sources().locate(at));
}

} // namespace

/// Error: Usage.
static Result<void> check_given(const MethodDefinition &definition, std::string_view function) {
  if (definition.name.text().empty())
    return usage_error(fmt::format("{}: a definition without a name", function));
  auto missing = [&](std::string_view what) {
    return usage_error(fmt::format("{}: {} has no {}", function, definition.name.text(), what));
  };
  if (!definition.module) return missing("module");
  if (!definition.body && !definition.generate) return missing("body");
  if (definition.body && definition.generate)
    return usage_error(
        fmt::format("{}: {} has `body` and `generate`: give one of them", function, definition.name.text()));
  if (std::ranges::count(definition.where, nullptr))
    return usage_error(fmt::format("{}: a type variable of {} is null", function, definition.name.text()));
  return {};
}

/// Defines a method. `of_fresh_type`: the callee was just created, so that every world sees the method
/// (Method::of_fresh_type).
static Result<const Method *> define(World &world, MethodDefinition definition, bool of_fresh_type) {
  TypeContext &types = world.types();
  KILN_CHECK(check_given(definition, "define_method"));
  if (!definition.callee)
    return usage_error(fmt::format(
        "define_method: {} has no callee: give the type of what is called, or use define_function",
        definition.name.text()));
  std::vector<TypeRef> elements{definition.callee};
  for (Parameter &parameter : definition.parameters) {
    if (!parameter.type) parameter.type = types.builtins().Any;
    elements.push_back(parameter.type);
  }
  TypeRef signature = types.tuple(elements);
  for (size_t i = definition.where.size(); i-- > 0;) {
    TypeRef closed = types.union_all(definition.where[i], signature);
    if (closed == signature)
      return faulty(world, definition.at,
                    fmt::format("{} declares a type variable {} that the type of no parameter uses",
                                definition.name.text(), definition.where[i]->name().text()));
    signature = closed;
  }
  if (signature->has_free_vars())
    return faulty(world, definition.at,
                  fmt::format("the types of {}'s parameters have a variable that `where` does not list: {}",
                              definition.name.text(), spell_short(signature)));
  auto method = std::make_unique<Method>();
  method->name = definition.name;
  method->module = definition.module;
  method->signature = signature;
  // Interning may replace the signature's variables: use the interned ones in the code too.
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(signature, vars, body);
  method->static_params = vars;
  for (const Parameter &parameter : definition.parameters)
    method->argument_names.push_back(parameter.name ? parameter.name : types.symbol("#unused#"));
  method->at = definition.at;
  method->hints = definition.hints;
  method->overlay = definition.overlay;
  method->of_fresh_type = of_fresh_type;
  if (definition.generate) {
    method->hints.generated = definition.hints.generated = true;
    method->generate = [&world, vars, definition = std::move(definition)](
                           TypeRef tuple, std::span<const TypeRef> static_params) {
      return build(world, definition, vars, [&](BodyBuilder &body) {
        return definition.generate(body, tuple->as<DataType>()->params().subspan(1), static_params);
      });
    };
  } else {
    method->lower = [&world, vars, definition = std::move(definition)] {
      return build(world, definition, vars, definition.body);
    };
  }
  return compiler_world(world).define(std::move(method));
}

Result<const Method *> define_method(World &world, MethodDefinition definition) {
  return define(world, std::move(definition), false);
}

Result<const Method *> define_function(World &world, MethodDefinition definition) {
  KILN_CHECK(check_given(definition, "define_function")); // before the function exists
  KILN_TRY(Value function, world.function(*definition.module, definition.name, definition.at));
  definition.callee = function.type();
  return define_method(world, std::move(definition));
}

TypeRef signature_of(const Method &method) { return method.signature; }

Result<TypeRef> define_closure(World &world, std::span<const Symbol> captures, MethodDefinition definition) {
  TypeContext &types = world.types();
  KILN_CHECK(check_given(definition, "define_closure"));
  if (std::ranges::any_of(captures, [](Symbol name) { return !name; }))
    return usage_error(
        fmt::format("define_closure: a captured value of {} has no name", definition.name.text()));
  TypeName *type = types.new_type_name(definition.name, definition.module->full_name());
  for (Symbol name : captures) {
    const TypeVar *var = types.new_var(types.symbol(fmt::format("C{}", type->params.size() + 1)),
                                       types.bottom(), types.builtins().Any);
    type->params.push_back(var);
    type->field_names.push_back(name);
    type->field_types.push_back(var);
  }
  type->super = types.builtins().Function;
  type->fields_defined = true;
  TypeRef wrapper = types.finish_type_name(*type);
  definition.callee = wrapper;
  auto method = define(world, std::move(definition), true);
  if (!method.ok()) return method.take_error();
  return wrapper;
}

Result<void> define_choice(World &world, TypeRef function) {
  TypeContext &types = world.types();
  MethodDefinition choice{.module = world.base(), .name = types.symbol("ifelse"), .callee = function};
  choice.parameters = {
      {types.symbol("condition"), types.builtins().Bool}, {types.symbol("x")}, {types.symbol("y")}};
  choice.hints.inline_ = true;
  choice.body = [](BodyBuilder &body) -> Result<Operand> {
    return body.intrinsic(Intrinsic::ifelse, {body.argument(0), body.argument(1), body.argument(2)});
  };
  KILN_CHECK(define(world, std::move(choice), true));
  return {};
}

// ---- types

namespace {

/// True if two struct definitions are identical. Compares field types by their text, since each definition
/// has its own variables.
bool is_same(const TypeName &a, const TypeName &b) {
  bool same = a.name == b.name && a.module == b.module && a.params.size() == b.params.size() &&
              a.field_names == b.field_names && a.is_mutable == b.is_mutable &&
              a.is_abstract == b.is_abstract && a.primitive_bits == b.primitive_bits &&
              a.field_types.size() == b.field_types.size() && to_string(a.super) == to_string(b.super);
  for (size_t i = 0; same && i < a.field_types.size(); i++)
    same = to_string(a.field_types[i]) == to_string(b.field_types[i]);
  return same;
}

const TypeName *name_in(TypeContext &types, const Value &value) {
  TypeRef type = value.as_type();
  if (!type) return nullptr;
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  types.unwrap_all(type, vars, body);
  const DataType *data = body->as<DataType>();
  return data ? &data->name() : nullptr;
}

/// Defines the default constructor: Name(a::A, b::B), or Name(a::A, b::B) where {A, B} = Name{A, B}(a, b).
Result<void> define_constructor(World &world, const TypeDefinition &definition, const TypeName &type) {
  MethodDefinition constructor;
  constructor.module = definition.module;
  constructor.name = definition.name;
  constructor.callee = world.types().type_of_type(type.wrapper);
  constructor.at = definition.at;
  constructor.hints.inline_ = true;
  constructor.where = type.params;
  TypeRef fields = world.types().tuple(type.field_types);
  for (const TypeVar *param : type.params)
    if (world.types().union_all(param, fields) == fields) return {}; // no field determines this parameter
  for (size_t i = 0; i < type.field_names.size(); i++)
    constructor.parameters.push_back({type.field_names[i], type.field_types[i]});
  constructor.body = [&type](BodyBuilder &body) -> Result<Operand> {
    Operand made = body.type(type.wrapper);
    std::vector<Operand> params{made}, values;
    for (uint32_t i = 0; i < type.params.size(); i++) params.push_back(Operand::static_param(i));
    for (uint32_t i = 0; i < type.field_names.size(); i++) values.push_back(body.argument(i));
    if (!type.params.empty()) made = body.intrinsic(Intrinsic::apply_type, params);
    return body.new_struct(made, values);
  };
  KILN_CHECK(define(world, std::move(constructor), true));
  return {};
}

} // namespace

Result<TypeRef> bind_type(World &world, Module &module, TypeName &name, Span at, bool *made) {
  if (made) *made = false;
  if (!name.name || !name.wrapper)
    return usage_error(
        "bind_type: the type name has no name, or was not finished (TypeContext::finish_type_name)");
  if (world.is_defined(module, name.name)) {
    auto found = world.lookup(module, name.name, world.age());
    const TypeName *before = found.ok() && *found ? name_in(world.types(), **found) : nullptr;
    if (before && is_same(*before, name)) return before->wrapper;
  }
  KILN_CHECK(world.set_constant(module, name.name, Value::type_value(world.types(), name.wrapper), at));
  if (made) *made = true;
  return name.wrapper;
}

Result<TypeRef> define_type(World &world, const TypeDefinition &definition) {
  TypeContext &types = world.types();
  if (definition.name.text().empty()) return usage_error("define_type: a definition without a name");
  if (!definition.module)
    return usage_error(fmt::format("define_type: {} has no module", definition.name.text()));
  if (std::ranges::count(definition.params, nullptr))
    return usage_error(fmt::format("define_type: a parameter of {} is null", definition.name.text()));
  const std::string own(definition.name.text());
  if (std::ranges::any_of(definition.fields, [](const Parameter &field) { return !field.name; }))
    return usage_error(fmt::format("define_type: a field of {} has no name", own));
  TypeRef super = definition.super ? definition.super : types.builtins().Any;
  if (const DataType *data = super->as<DataType>(); !data || !data->is_abstract() || data->is_tuple())
    return faulty(world, definition.at,
                  fmt::format("{} cannot be a subtype of {}, which is no abstract type", own, spell(super)));
  TypeName *type = types.new_type_name(definition.name, definition.module->full_name());
  type->params = definition.params;
  type->super = super;
  type->is_mutable = definition.is_mutable;
  type->is_abstract = definition.is_abstract;
  for (const Parameter &field : definition.fields) {
    if (std::ranges::count(type->field_names, field.name))
      return faulty(world, definition.at, fmt::format("{} has two fields named {}", own, field.name.text()));
    type->field_names.push_back(field.name);
    type->field_types.push_back(field.type ? field.type : types.builtins().Any);
  }
  type->fields_defined = true;
  types.finish_type_name(*type);
  bool made = false;
  KILN_TRY(TypeRef bound, bind_type(world, *definition.module, *type, definition.at, &made));
  if (made && !definition.is_abstract) KILN_CHECK(define_constructor(world, definition, *type));
  return bound;
}

} // namespace kiln
