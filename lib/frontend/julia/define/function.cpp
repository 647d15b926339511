// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines methods: the function, the signature, and the code, which is lowered when it is needed.
#include "define.h"

namespace kiln::julia {

Result<const Method *> define_method(MethodSource source, TypeRef self, Symbol overlay,
                                     std::span<const std::pair<Symbol, TypeRef>> bindings) {
  std::shared_ptr<Shared> shared = source.shared;
  TypeContext &types = shared->types;
  TypeEvaluator evaluator(shared, *source.module);
  for (auto &[name, type] : bindings) evaluator.bind(name, type);
  std::vector<std::pair<Symbol, const TypeVar *>> vars;
  for (auto &[name, type] : bindings)
    if (const TypeVar *var = type->as<TypeVar>()) vars.emplace_back(name, var);
  std::vector<TypeRef> elements{self};
  auto method = std::make_unique<Method>();
  for (Parameter &parameter : source.signature.positional) {
    TypeRef element = types.builtins().Any;
    if (parameter.type) {
      KILN_TRY(element,
               parameter.vararg ? evaluator.type(*parameter.type) : evaluator.evaluate(*parameter.type));
      if (element->is<ConstType>())
        return shared->error(ErrorCode::TypeError, fmt::format("`{}` is not a type", brief(*parameter.type)),
                             parameter.type->at);
    }
    if (element->is<VarargType>())
      parameter.vararg = true;
    else if (parameter.vararg)
      element = types.vararg(element);
    elements.push_back(element);
    method->argument_names.push_back(parameter.name ? parameter.name : types.symbol("#unused#"));
  }
  source.statics = std::move(vars);
  std::vector<std::pair<Symbol, const TypeVar *>> declared = source.statics;
  source.evaluated = close_signature(types, types.tuple(std::span<const TypeRef>(elements)), source.statics);
  method->name = source.name;
  method->module = source.module;
  method->signature = source.evaluated;
  for (auto &[name, var] : source.statics) method->static_params.push_back(var);
  for (auto &[name, var] : declared)
    if (std::none_of(source.statics.begin(), source.statics.end(),
                     [&](auto &kept) { return kept.first == name; }))
      method->unbound_params.push_back(name);
  method->nargs = uint32_t(elements.size());
  method->is_vararg = !source.signature.positional.empty() && source.signature.positional.back().vararg;
  method->at = source.signature.at;
  method->hints = source.hints;
  method->overlay = overlay;
  if (source.hints.generated) {
    method->lower = [name = source.name]() -> Result<CodeInfo> {
      return internal_error(fmt::format("{} has code only for given argument types", name.text()));
    };
    method->generator_inputs = [shared = source.shared, module = method->module,
                                at = method->at](TypeRef arguments) {
      return shared->generator_inputs(*module, at, arguments);
    };
    method->generate = generator_of(std::move(source));
  } else if (may_hold_closures(*source.body)) {
    // Define the methods of closures now: they must exist in every world age that sees this method.
    auto body = analyse(source);
    if (body.ok()) {
      define_closures(*body);
      method->lower = [body = *body] { return lower_function(*body, *body->root); };
    } else {
      method->lower = [error = body.take_error()]() -> Result<CodeInfo> { return error; };
    }
  } else {
    auto kept = std::make_shared<MethodSource>(std::move(source));
    method->lower = [kept]() -> Result<CodeInfo> {
      KILN_TRY(std::shared_ptr<Body> body, analyse(*kept));
      define_closures(body);
      return lower_function(*body, *body->root);
    };
  }
  return shared->world.define(std::move(method));
}

Result<Definer::Callee> Definer::callee(Module &module, const Syntax &node, TypeEvaluator &evaluator) {
  TypeContext &types = shared_->types;
  CompilerWorld &world = shared_->world;
  auto of_type = [&](TypeRef type, Symbol name) {
    std::vector<const TypeVar *> vars;
    TypeRef body = nullptr;
    types.unwrap_all(type, vars, body);
    const DataType *data = body->as<DataType>();
    return Callee{types.type_of_type(type), name, data && created_types_.count(&data->name()) != 0};
  };
  auto of_function = [&](Module &owner, Symbol name) -> Result<Callee> {
    KILN_TRY(Value value, world.function(owner, name, node.at));
    TypeRef type = value.type();
    if (overlay_ && !world.has_methods(type)) created_functions_.insert(type);
    return Callee{type, name, created_functions_.count(type) != 0};
  };
  switch (node.head) {
  case Head::Literal: {
    if (TypeRef type = node.literal.as_type()) return of_type(type, shared_->symbol(to_string(type)));
    if (node.literal && node.literal.type() && node.literal.fields() && node.literal.fields()->empty())
      return Callee{node.literal.type(), shared_->symbol(to_string(node.literal)), false};
    break;
  }
  case Head::Identifier: {
    const Module &owner =
        shared_->module_of(node.scope == BaseScope || node.scope == CoreScope ? node.scope : 0, module);
    if (auto found = world.lookup(owner, node.name, world.age()); found.ok() && *found)
      if (TypeRef type = (*found)->as_type()) return of_type(type, node.name);
    return of_function(Shared::writable(owner), node.name);
  }
  case Head::Dot: {
    KILN_TRY(Module * owner, evaluator.module(*node.args[0]));
    Symbol name = node.args[1]->is(Head::QuotedSymbol) ? node.args[1]->literal.as_symbol() : Symbol();
    if (!name) break;
    if (auto found = evaluator.value(node); found.ok())
      if (TypeRef type = found->as_type()) return of_type(type, name);
    return of_function(*owner, name);
  }
  case Head::Curly: {
    KILN_TRY(TypeRef type, evaluator.type(node));
    const Syntax *name = node.args[0];
    return of_type(type, name->is(Head::Identifier) ? name->name : shared_->symbol(brief(*name)));
  }
  case Head::Where: { // (P{T, Tuple{Vararg{T}}} where {T})(x)
    KILN_TRY(TypeRef type, evaluator.type(node));
    return of_type(type, shared_->symbol(brief(node)));
  }
  case Head::TypeAssert: {
    KILN_TRY(TypeRef type, evaluator.type(*node.args.back()));
    return Callee{type, shared_->symbol(brief(*node.args.back())), true};
  }
  default: break;
  }
  return shared_->error(ErrorCode::SyntaxError, fmt::format("`{}` cannot be given a method", brief(node)),
                        node.at);
}

Result<void> Definer::function(Module &module, const Syntax &node, MethodHints hints, TypeRef constructed,
                               Symbol constructed_name) {
  if (node.is(Head::Function) && node.args[0]->is(Head::Identifier)) { // function f end
    KILN_TRY(Value declared, shared_->world.function(module, node.args[0]->name, node.at));
    (void)declared;
    return {};
  }
  if (node.is(Head::Function) && node.args[0]->is(Head::Dot)) return {}; // function Base.f end
  KILN_TRY(SignatureSyntax signature, shared_->signature(signature_of(node)));
  if (!signature.callee) {
    note_skipped(node);
    return {};
  }
  signature.at = signature_of(node).at;
  const Syntax &body = body_of(node);
  // A body may begin with hints as statements, such as @inline.
  if (body.is(Head::Block))
    for (const Syntax *child : body.args)
      if (child->is(Head::MacroCall) && child->args.size() == 1) {
        std::string_view name = macro_name(*child).text();
        hints.inline_ |= name == "@inline" || name == "@_inline_meta" || name == "@propagate_inbounds" ||
                         name == "@_propagate_inbounds_meta";
        hints.noinline |= name == "@noinline" || name == "@_noinline_meta";
        hints.propagate_inbounds |= name == "@propagate_inbounds" || name == "@_propagate_inbounds_meta";
      }
  const Syntax &own_name =
      signature.callee->is(Head::Dot) ? *signature.callee->args[1] : *signature.callee; // Base.fill!
  Symbol host = own_name.is(Head::QuotedSymbol) ? own_name.literal.as_symbol() : own_name.name;
  if (host && may_hold_closures(body)) shared_->add_host(module, host, {&module, &node, unit_});
  TypeEvaluator evaluator(shared_, module);
  if (constructed) evaluator.bind(constructed_name, constructed);
  if (!signature.callee->is(Head::Identifier)) // P{T}(...) where T
    for (const Syntax *where : signature.wheres) {
      KILN_TRY(const TypeVar *var, evaluator.variable(*where));
      evaluator.bind(var->name(), var);
    }
  Callee callee;
  if (constructed && signature.callee->is(Head::Identifier) && signature.callee->name == constructed_name) {
    callee = {shared_->types.type_of_type(constructed), constructed_name, true};
  } else {
    KILN_TRY(callee, this->callee(module, *signature.callee, evaluator));
  }
  if (!signature.keywords.empty())
    return keyword_methods(module, signature, body, hints, callee, constructed, constructed_name);
  KILN_CHECK(default_methods(module, signature, hints, callee, constructed, constructed_name, false));
  return method(module, signature, body, hints, callee, constructed, constructed_name);
}

Result<void> Definer::method(Module &module, SignatureSyntax signature, const Syntax &body, MethodHints hints,
                             const Callee &callee, TypeRef constructed, Symbol constructed_name) {
  std::vector<std::pair<Symbol, TypeRef>> bindings;
  TypeEvaluator evaluator(shared_, module);
  if (constructed) {
    bindings.emplace_back(constructed_name, constructed);
    evaluator.bind(constructed_name, constructed);
  }
  for (const Syntax *where : signature.wheres) {
    KILN_TRY(const TypeVar *var, evaluator.variable(*where));
    evaluator.bind(var->name(), var);
    bindings.emplace_back(var->name(), var);
  }
  // Evaluate the callee's type again, so that it contains the type variables of this signature.
  Callee own = callee;
  if (callee.self->has_free_vars() && signature.callee) {
    KILN_TRY(own, this->callee(module, *signature.callee, evaluator));
    own.is_new = callee.is_new;
  }
  MethodSource source;
  source.shared = shared_;
  source.module = &module;
  source.name = own.name;
  source.signature = std::move(signature);
  source.body = &body;
  source.constructed = constructed;
  source.hints = hints;
  // Specialise on constants: packages compute sizes and types from them, and Julia's inference propagates
  // them, too.
  if (shared_->packages.owner(module)) source.hints.aggressive_constprop = true;
  source.unit = unit_;
  const Symbol table = override_ ? override_ : own.is_new ? Symbol() : overlay_;
  KILN_TRY(const Method *made, define_method(std::move(source), own.self, table, bindings));
  (void)made;
  ++report_.methods;
  return {};
}

// ---- macros

Result<void> Definer::macro(Module &module, const Syntax &node) {
  if (node.args[0]->is(Head::Identifier)) { // macro m end
    Symbol name = shared_->symbol("@" + std::string(node.args[0]->name.text()));
    KILN_TRY(Value declared, shared_->world.function(module, name, node.at));
    (void)declared;
    return {};
  }
  KILN_TRY(SignatureSyntax signature, shared_->signature(*node.args[0]));
  if (!signature.callee || !signature.callee->is(Head::Identifier))
    return shared_->error(ErrorCode::SyntaxError, "a macro needs a name", node.at);
  Symbol name = shared_->symbol("@" + std::string(signature.callee->name.text()));
  KILN_TRY(Value function, shared_->world.function(module, name, node.at));
  auto macro = std::make_shared<MacroDefinition>();
  macro->module = &module;
  macro->node = &node;
  macro->unit = unit_;
  shared_->add_macro(function, std::move(macro));
  return {};
}

/// Applies a macro around definitions, such as @views, to the body of each definition.
void Definer::within_macro(Module &module, const Syntax &node, const Syntax &of, MethodHints hints) {
  auto within = [&](Syntax *code) {
    return unit_->arena.make(Head::MacroCall, code->at, {node.args[0], code});
  };
  if (is_function_definition(of) && of.args.size() > 1) {
    Syntax *definition = unit_->arena.make(of.head, of.at, of.args);
    definition->args.back() = within(of.args.back());
    top_function(module, *definition, hints);
  } else if (of.is(Head::Block)) {
    for (Syntax *each : of.args) statement(module, *within(each));
  } else if (of.is(Head::MacroCall)) { // @inline or similar
    Syntax *call = unit_->arena.make(of.head, of.at, of.args);
    call->args.back() = within(of.args.back());
    macro_call(module, *call, hints);
  } else {
    note_skipped(node);
  }
}

} // namespace kiln::julia
