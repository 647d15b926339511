// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Type definitions and their constructors.
#include "define.h"

namespace kiln::julia {

Result<Definer::Head1> Definer::type_head(const Syntax &node) {
  Head1 head;
  const Syntax *at = &node;
  if (at->is(Head::Subtype) && at->args.size() == 2) {
    head.super = at->args[1];
    at = at->args[0];
  }
  if (at->is(Head::Curly)) {
    head.params.assign(at->args.begin() + 1, at->args.end());
    at = at->args[0];
  }
  if (!at->is(Head::Identifier))
    return shared_->error(ErrorCode::SyntaxError,
                          fmt::format("`{}` is not the head of a type definition", brief(node)), node.at);
  head.name = at->name;
  return head;
}

Result<TypeName *> Definer::new_type(Module &module, const Head1 &head, TypeEvaluator &evaluator) {
  std::vector<const TypeVar *> params;
  for (const Syntax *param : head.params) {
    KILN_TRY(const TypeVar *var, evaluator.variable(*param));
    evaluator.bind(var->name(), var);
    params.push_back(var);
  }
  TypeRef super = shared_->types.builtins().Any;
  if (head.super) {
    KILN_TRY(super, evaluator.type(*head.super));
    const DataType *data = super->as<DataType>();
    if (!data || !data->is_abstract() || data->is_tuple())
      return shared_->error(
          ErrorCode::TypeError,
          fmt::format("invalid subtyping: `{}` is not an abstract type", brief(*head.super)), head.super->at);
  }
  TypeName *name = shared_->types.new_type_name(head.name, module.full_name());
  name->params = std::move(params);
  name->super = super;
  return name;
}

/// Binds a type to its name. If an identical definition exists (a file is loaded again), that type stays.
Result<void> Definer::bind_type(Module &module, TypeName &type, const Syntax &node, TypeRef &bound) {
  bool made = false;
  KILN_TRY(bound, kiln::bind_type(shared_->world, module, type, node.at, &made));
  report_.types += made;
  return {};
}

Result<void> Definer::abstract(Module &module, const Syntax &node) {
  KILN_TRY(Head1 head, type_head(*node.args[0]));
  TypeEvaluator evaluator(shared_, module);
  KILN_TRY(TypeName * type, new_type(module, head, evaluator));
  type->is_abstract = true;
  type->fields_defined = true;
  shared_->types.finish_type_name(*type);
  created_types_.insert(type);
  TypeRef bound = nullptr;
  return bind_type(module, *type, node, bound);
}

Result<void> Definer::primitive(Module &module, const Syntax &node) {
  KILN_TRY(Head1 head, type_head(*node.args[0]));
  TypeEvaluator evaluator(shared_, module);
  KILN_TRY(Value bits, evaluator.value(*node.args[1]));
  if (bits.type() != shared_->types.builtins().Int64 || bits.low_bits() == 0 || bits.low_bits() % 8 ||
      bits.low_bits() > 128)
    return shared_->error(ErrorCode::TypeError,
                          "the size of a primitive type must be a multiple of 8 bits, at most 128",
                          node.args[1]->at);
  KILN_TRY(TypeName * type, new_type(module, head, evaluator));
  type->primitive_bits = uint32_t(bits.low_bits());
  type->fields_defined = true;
  shared_->types.finish_type_name(*type);
  created_types_.insert(type);
  TypeRef bound = nullptr;
  return bind_type(module, *type, node, bound);
}

/// Constructors of a struct.
struct Definer::Constructors {
  Module &module;
  Head1 head;
  const TypeName *type = nullptr;
  TypeRef bound = nullptr;
  std::vector<Parameter> fields;
  std::vector<std::pair<const Syntax *, MethodHints>> inner;
};

Result<void> Definer::define_constructors(const Constructors &all, const Syntax &node) {
  for (auto &[constructor, hints] : all.inner)
    check(function(all.module, *constructor, hints, all.bound, all.head.name), *constructor);
  if (all.inner.empty())
    KILN_CHECK(default_constructors(all.module, all.head, *all.type, all.bound, all.fields, node));
  return {};
}

Result<void> Definer::structure(Module &module, const Syntax &node, bool with_keywords) {
  KILN_TRY(Head1 head, type_head(*node.args[1]));
  TypeEvaluator evaluator(shared_, module);
  // Bind the type before its fields are evaluated, since a field's type may name it.
  TypeEvaluator outside(shared_, module);
  KILN_TRY(TypeName * type, new_type(module, head, evaluator));
  type->is_mutable = node.args[0]->literal.low_bits() & 1;
  TypeRef wrapper = shared_->types.finish_type_name(*type);
  // The type is bound before its parameters, so that a parameter of the same name hides it, as in Julia.
  TypeEvaluator fields_evaluator(shared_, module);
  fields_evaluator.bind(head.name, wrapper);
  for (const TypeVar *param : type->params) fields_evaluator.bind(param->name(), param);

  std::vector<Parameter> fields;
  // Set all at once: a lookup in an incomplete type would cache wrong fields.
  std::vector<TypeRef> field_types;
  std::unordered_set<Symbol> names; // field names
  std::vector<std::pair<const Syntax *, MethodHints>> constructors;
  for (const Syntax *item : node.args[2]->args) {
    MethodHints hints;
    while (item->is(Head::Doc) || item->is(Head::Const) || item->is(Head::MacroCall)) {
      if (item->is(Head::MacroCall)) {
        std::string_view name = macro_name(*item).text();
        hints.inline_ |= name == "@inline" || name == "@propagate_inbounds";
        hints.generated |= name == "@generated";
        hints.noinline |= name == "@noinline";
        hints.propagate_inbounds |= name == "@propagate_inbounds";
      }
      if (item->args.empty()) break;
      item = item->args.back();
    }
    if (item->is(Head::Literal)) continue; // a docstring
    if (is_function_definition(*item)) {
      constructors.emplace_back(item, hints);
      continue;
    }
    Parameter field;
    field.at = item->at;
    if (with_keywords && item->is(Head::Assign)) {
      field.default_value = item->args[1];
      item = item->args[0];
    }
    if (item->is(Head::TypeAssert) && item->args.size() == 2) {
      field.type = item->args[1];
      item = item->args[0];
    }
    if (!item->is(Head::Identifier))
      return shared_->error(ErrorCode::SyntaxError, fmt::format("`{}` is not a field", brief(*item)),
                            item->at);
    field.name = item->name;
    if (!names.insert(field.name).second)
      return shared_->error(ErrorCode::SyntaxError,
                            fmt::format("duplicate field name: \"{}\" is not unique", field.name.text()),
                            item->at);
    TypeRef field_type = shared_->types.builtins().Any;
    if (field.type) {
      KILN_TRY(field_type, fields_evaluator.type(*field.type));
    }
    type->field_names.push_back(field.name);
    field_types.push_back(field_type);
    fields.push_back(field);
  }
  type->field_types = std::move(field_types);
  type->fields_defined = true;
  created_types_.insert(type);
  TypeRef bound = nullptr;
  KILN_CHECK(bind_type(module, *type, node, bound));
  Constructors all{module, head, type, bound, fields, std::move(constructors)};
  if (unit_->file->is_library())
    postpone(bound, [all = std::move(all), &node](Definer &definer) {
      return definer.define_constructors(all, node);
    });
  else
    KILN_CHECK(define_constructors(all, node));
  if (with_keywords) { // for @kwdef: P(; a, b = 1) = P(a, b)
    Expander make(shared_, module, unit_->arena);
    SignatureSyntax signature;
    signature.at = node.at;
    Syntax *callee = make.identifier(head.name.text(), 0, node.at);
    signature.callee = callee;
    std::vector<Syntax *> args;
    for (Parameter field : fields) {
      args.push_back(make.identifier(field.name.text(), 0, field.at));
      field.type = nullptr;
      signature.keywords.push_back(field);
    }
    Syntax *body = make.call(make.identifier(head.name.text(), 0, node.at), std::move(args), node.at);
    KILN_CHECK(keyword_methods(module, signature, *body, {},
                               {shared_->types.type_of_type(bound), head.name, true}, nullptr, {}));
  }
  return {};
}

/// Defines Julia's default constructors: P(a::A, b::B), and P(a, b), which converts. With parameters they are
/// P{T}(a, b), and P(a::T, b::T) where T.
Result<void> Definer::default_constructors(Module &module, const Head1 &head, const TypeName &type,
                                           TypeRef wrapper, std::span<const Parameter> fields,
                                           const Syntax &node) {
  Expander make(shared_, module, unit_->arena);
  Span at = node.at;
  MethodHints hints;
  hints.inline_ = true;
  // A field may have the name of a parameter (struct LU{L, U}; L::L; U::U; end). The argument must not hide
  // it.
  auto argument = [&](Symbol field) {
    const bool hides =
        std::ranges::any_of(type.params, [&](const TypeVar *param) { return param->name() == field; });
    return hides ? shared_->symbol(fmt::format("#{}", field.text())) : field;
  };
  auto names = [&] {
    std::vector<Syntax *> args;
    for (const Parameter &field : fields)
      args.push_back(make.identifier(argument(field.name).text(), 0, field.at));
    return args;
  };
  auto name = [&] { return make.identifier(head.name.text(), 0, at); };
  auto parameter_names = [&](Syntax *of) {
    std::vector<Syntax *> args{of};
    for (const TypeVar *param : type.params) args.push_back(make.identifier(param->name().text(), 0, at));
    return make.make(Head::Curly, at, std::move(args));
  };
  auto define = [&](Syntax *callee, bool typed, bool with_params, Syntax *body) -> Result<void> {
    SignatureSyntax signature;
    signature.at = at;
    signature.callee = callee;
    for (Parameter field : fields) {
      field.default_value = nullptr;
      if (!typed) field.type = nullptr;
      field.name = argument(field.name);
      signature.positional.push_back(field);
    }
    if (with_params) signature.wheres = head.params;
    TypeEvaluator evaluator(shared_, module);
    evaluator.bind(head.name, wrapper);
    if (with_params)
      for (const Syntax *param : head.params) {
        KILN_TRY(const TypeVar *var, evaluator.variable(*param));
        evaluator.bind(var->name(), var);
      }
    Callee of{shared_->types.type_of_type(wrapper), head.name, true};
    if (callee->is(Head::Curly)) {
      KILN_TRY(of, this->callee(module, *callee, evaluator));
    }
    of.is_new = true;
    return method(module, std::move(signature), *body, hints, of, wrapper, head.name);
  };
  Syntax *new_name = make.identifier("new", 0, at);
  if (type.params.empty()) {
    bool all_any = true;
    for (TypeRef field : type.field_types) all_any &= field == shared_->types.builtins().Any;
    KILN_CHECK(define(name(), true, false, make.call(new_name, names(), at)));
    if (!all_any)
      KILN_CHECK(define(name(), false, false, make.call(make.identifier("new", 0, at), names(), at)));
    return {};
  }
  KILN_CHECK(define(parameter_names(name()), false, true, make.call(new_name, names(), at)));
  // Define P(a, b) only if the fields' types determine every parameter.
  for (const TypeVar *param : type.params) {
    bool found = false;
    for (TypeRef field : type.field_types) found |= shared_->types.union_all(param, field) != field;
    if (!found) return {};
  }
  return define(name(), true, true, make.call(parameter_names(name()), names(), at));
}

} // namespace kiln::julia
