// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Method definitions, with the further methods that optional and keyword arguments make.
#include "definitions.h"
#include "macros.h"

namespace kiln::julia {

Result<const Method *> define_method(MethodSource source, TypeRef self, Symbol overlay,
                                     std::span<const std::pair<Symbol, TypeRef>> bindings) {
  std::shared_ptr<Shared> shared = source.shared;
  TypeContext &types = shared->types;
  TypeEvaluator evaluator(shared, *source.module);
  for (auto &[name, type] : bindings)
    evaluator.bind(name, type);
  std::vector<std::pair<Symbol, const TypeVar *>> vars;
  for (auto &[name, type] : bindings)
    if (const TypeVar *var = type->as<TypeVar>())
      vars.emplace_back(name, var);
  std::vector<TypeRef> elements{self};
  auto method = std::make_unique<Method>();
  for (Parameter &parameter : source.signature.positional) {
    TypeRef element = types.builtins().Any;
    if (parameter.type) {
      KILN_TRY(element, parameter.vararg ? evaluator.type(*parameter.type) : evaluator.evaluate(*parameter.type));
      if (element->is<ConstType>())
        return shared->error("TypeError", fmt::format("`{}` is not a type", brief(*parameter.type)), parameter.type->at);
    }
    if (element->is<VarargType>())
      parameter.vararg = true;
    else if (parameter.vararg)
      element = types.vararg(element);
    elements.push_back(element);
    method->argument_names.push_back(parameter.name ? parameter.name : types.symbol("#unused#"));
  }
  source.statics = std::move(vars);
  source.evaluated = close_signature(types, types.tuple(std::span<const TypeRef>(elements)), source.statics);
  method->name = source.name;
  method->module = source.module;
  method->signature = source.evaluated;
  for (auto &[name, var] : source.statics)
    method->static_params.push_back(var);
  method->nargs = uint32_t(elements.size());
  method->is_vararg = !source.signature.positional.empty() && source.signature.positional.back().vararg;
  method->at = source.signature.at;
  method->hints = source.hints;
  method->overlay = overlay;
  if (may_hold_closures(*source.body)) {
    // The closures' methods must be in the world that sees this method.
    auto body = analyse(source);
    if (body.ok()) {
      define_closures(*body);
      method->lower = [body = *body] { return lower_function(*body, *body->root); };
    } else {
      method->lower = [error = body.take_error()]() -> Result<CodeInfo> { return error; };
    }
  } else {
    method->lower = [source]() -> Result<CodeInfo> {
      KILN_TRY(std::shared_ptr<Body> body, analyse(source));
      define_closures(body);
      return lower_function(*body, *body->root);
    };
  }
  return shared->world.define(std::move(method));
}

Result<Definer::Callee> Definer::callee(Module &module, const Syntax &node, TypeEvaluator &evaluator) {
  TypeContext &types = shared_->types;
  World &world = shared_->world;
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
    if (overlay_ && world.methods_of(type, {}, world.age()).empty())
      created_functions_.insert(type);
    return Callee{type, name, created_functions_.count(type) != 0};
  };
  switch (node.head) {
  case Head::Literal: {
    if (TypeRef type = node.literal.as_type())
      return of_type(type, shared_->symbol(to_string(type)));
    if (node.literal && node.literal.type() && node.literal.fields() && node.literal.fields()->empty())
      return Callee{node.literal.type(), shared_->symbol(to_string(node.literal)), false};
    break;
  }
  case Head::Identifier: {
    const Module &owner = shared_->module_of(node.scope == BaseScope || node.scope == CoreScope ? node.scope : 0, module);
    if (world.is_defined(owner, node.name)) {
      auto found = world.lookup(owner, node.name, world.age());
      if (found.ok() && *found)
        if (TypeRef type = (*found)->as_type())
          return of_type(type, node.name);
    }
    return of_function(Shared::writable(owner), node.name);
  }
  case Head::Dot: {
    KILN_TRY(Module * owner, evaluator.module(*node.args[0]));
    Symbol name = node.args[1]->is(Head::QuotedSymbol) ? node.args[1]->literal.as_symbol() : Symbol();
    if (!name)
      break;
    if (world.is_defined(*owner, name)) {
      KILN_TRY(std::optional<Value> found, world.lookup(*owner, name, world.age()));
      if (found)
        if (TypeRef type = found->as_type())
          return of_type(type, name);
    }
    return of_function(*owner, name);
  }
  case Head::Curly: {
    KILN_TRY(TypeRef type, evaluator.type(node));
    const Syntax *name = node.args[0];
    return of_type(type, name->is(Head::Identifier) ? name->name : shared_->symbol(brief(*name)));
  }
  case Head::TypeAssert: {
    KILN_TRY(TypeRef type, evaluator.type(*node.args.back()));
    return Callee{type, shared_->symbol(brief(*node.args.back())), true};
  }
  default: break;
  }
  return shared_->error("syntax error", fmt::format("`{}` cannot be given a method", brief(node)), node.at);
}

Result<void> Definer::function(Module &module, const Syntax &node, MethodHints hints, TypeRef constructed,
                               Symbol constructed_name) {
  if (node.is(Head::Function) && node.args[0]->is(Head::Identifier)) { // function f end
    KILN_TRY(Value declared, shared_->world.function(module, node.args[0]->name, node.at));
    (void)declared;
    return {};
  }
  if (node.is(Head::Function) && node.args[0]->is(Head::Dot))
    return {}; // function Base.f end
  KILN_TRY(SignatureSyntax signature, parse_signature(*shared_, signature_of(node)));
  if (!signature.callee) {
    note_skipped(node);
    return {};
  }
  signature.at = signature_of(node).at;
  const Syntax &body = body_of(node);
  // Hints that stand in the body: @inline as a statement of its own.
  if (body.is(Head::Block))
    for (const Syntax *child : body.args)
      if (child->is(Head::MacroCall) && child->args.size() == 1) {
        std::string_view name = macro_name(*child).text();
        hints.inline_ |= name == "@inline" || name == "@_inline_meta" || name == "@propagate_inbounds" ||
                         name == "@_propagate_inbounds_meta";
        hints.noinline |= name == "@noinline" || name == "@_noinline_meta";
        hints.propagate_inbounds |= name == "@propagate_inbounds" || name == "@_propagate_inbounds_meta";
      }
  if (signature.callee->is(Head::Identifier) && may_hold_closures(body))
    shared_->add_host(module, signature.callee->name, {&module, &node, unit_});
  TypeEvaluator evaluator(shared_, module);
  if (constructed)
    evaluator.bind(constructed_name, constructed);
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
  // The callee's type is written with the variables of this signature.
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
  source.unit = unit_;
  KILN_TRY(const Method *made, define_method(std::move(source), own.self, own.is_new ? Symbol() : overlay_, bindings));
  (void)made;
  ++report_.methods;
  return {};
}

/// f(a, b = 1, c = b) is also f(a) = (b = 1; c = b; f(a, b, c)) and f(a, b) = ...
/// For a keyword sorter the first two parameters, the keywords and the function, are passed on before them.
Result<void> Definer::default_methods(Module &module, const SignatureSyntax &signature, MethodHints hints,
                                      const Callee &callee, TypeRef constructed, Symbol constructed_name,
                                      bool keyword_sorter) {
  Expander make(shared_, module, unit_->arena);
  size_t count = signature.positional.size();
  size_t first = 0;
  while (first < count && !signature.positional[first].default_value)
    ++first;
  for (size_t given = first; given < count && !signature.positional[given].vararg; ++given) {
    SignatureSyntax stub;
    stub.at = signature.at;
    stub.callee = signature.callee;
    stub.wheres = signature.wheres;
    std::vector<Syntax *> passed, statements;
    for (size_t i = 0; i < count && !signature.positional[i].vararg; ++i) {
      Parameter p = signature.positional[i];
      if (!p.name || p.pattern)
        p.name = shared_->symbol(fmt::format("#{}", i + 1));
      if (i < given) {
        p.pattern = nullptr;
        p.default_value = nullptr;
        stub.positional.push_back(p);
      } else {
        statements.push_back(make.make(Head::Assign, p.at, {make.identifier(p.name.text(), p.scope, p.at),
                                                            const_cast<Syntax *>(p.default_value)}));
      }
      passed.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    Syntax *self = keyword_sorter ? make.literal(shared_->kwcall, signature.at)
                                  : make.identifier("#self#", CoreScope, signature.at);
    statements.push_back(make.call(self, std::move(passed), signature.at));
    Syntax *body = make.make(Head::Block, signature.at, std::move(statements));
    KILN_CHECK(method(module, std::move(stub), *body, hints, callee, constructed, constructed_name));
  }
  return {};
}

/// f(x; a = 1, b): the code is #f#kw(a, b, f, x); f(x) calls it with the defaults, and kwcall((a=..,), f, x)
/// with what is given.
Result<void> Definer::keyword_methods(Module &module, const SignatureSyntax &signature, const Syntax &body,
                                      MethodHints hints, const Callee &callee, TypeRef constructed, Symbol constructed_name) {
  Expander make(shared_, module, unit_->arena);
  TypeContext &types = shared_->types;
  Span at = signature.at;
  if (constructed)
    return shared_->error("unsupported feature", "keyword arguments of an inner constructor are not supported", at);
  // ---- the code
  KILN_TRY(Value code, shared_->world.function(module, shared_->symbol(fmt::format("#{}#kw", callee.name.text())), at));
  SignatureSyntax inner;
  inner.at = at;
  inner.wheres = signature.wheres;
  inner.return_type = signature.return_type;
  for (const Parameter &keyword : signature.keywords) {
    Parameter p = keyword;
    p.default_value = nullptr;
    p.vararg = false; // the slurp is a named tuple
    inner.positional.push_back(p);
  }
  // The function itself, under its own name if it has one: (m::Model)(x; a).
  const Syntax *self_type = nullptr;
  Symbol self_name = shared_->symbol("#f");
  uint32_t self_scope = CoreScope;
  if (signature.callee->is(Head::TypeAssert)) {
    self_type = signature.callee->args.back();
    if (signature.callee->args.size() == 2 && signature.callee->args[0]->is(Head::Identifier)) {
      self_name = signature.callee->args[0]->name;
      self_scope = signature.callee->args[0]->scope;
    }
  } else if (callee.self->has_free_vars()) {
    return shared_->error("unsupported feature", "keyword arguments of a parametric constructor are not supported", at);
  } else {
    self_type = make.literal(Value::type_value(types, callee.self), at);
  }
  Parameter self;
  self.name = self_name;
  self.scope = self_scope;
  self.type = self_type;
  self.at = at;
  inner.positional.push_back(self);
  for (const Parameter &positional : signature.positional) {
    Parameter p = positional;
    p.default_value = nullptr;
    inner.positional.push_back(p);
  }
  Callee code_callee{code.type(), callee.name, true};
  KILN_CHECK(method(module, inner, body, hints, code_callee, nullptr, {}));

  auto forwarded = [&](std::vector<Syntax *> args, Syntax *function) {
    args.push_back(function);
    for (size_t i = 0; i < signature.positional.size(); ++i) {
      const Parameter &p = signature.positional[i];
      std::string name = p.name && !p.pattern ? std::string(p.name.text()) : fmt::format("#{}", i + 1);
      Syntax *id = make.identifier(name, p.scope, p.at);
      args.push_back(p.vararg ? make.make(Head::Splat, p.at, {id}) : id);
    }
    return make.call(make.literal(code, at), std::move(args), at);
  };
  auto named = [&](SignatureSyntax of) {
    for (size_t i = 0; i < of.positional.size(); ++i)
      if (!of.positional[i].name || of.positional[i].pattern) {
        of.positional[i].name = shared_->symbol(fmt::format("#{}", i + 1));
        of.positional[i].pattern = nullptr;
      }
    of.keywords.clear();
    of.return_type = nullptr;
    return of;
  };
  auto missing_keyword = [&](const Parameter &p) {
    return make.call(make.core("throw", p.at), {make.call(make.base("UndefKeywordError", p.at), {make.symbol(p.name, p.at)}, p.at)}, p.at);
  };
  auto empty_keywords = [&] { return make.make(Head::Tuple, at, {make.make(Head::Parameters, at, {})}); };
  // ---- without keywords
  {
    std::vector<Syntax *> statements, args;
    for (const Parameter &p : signature.keywords) {
      Syntax *value = p.vararg ? empty_keywords() : p.default_value ? const_cast<Syntax *>(p.default_value) : missing_keyword(p);
      statements.push_back(make.make(Head::Assign, p.at, {make.identifier(p.name.text(), p.scope, p.at), value}));
      args.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    statements.push_back(forwarded(std::move(args), make.identifier("#self#", CoreScope, at)));
    SignatureSyntax plain = named(signature);
    KILN_CHECK(default_methods(module, plain, hints, callee, nullptr, {}, false));
    KILN_CHECK(method(module, plain, *make.make(Head::Block, at, std::move(statements)), hints, callee, nullptr, {}));
  }
  // ---- with keywords
  {
    auto intrinsic = [&](Intrinsic i) { return make.literal(shared_->intrinsic(i), at); };
    auto given = [&] { return make.identifier("#kw", CoreScope, at); };
    std::vector<Syntax *> statements, args;
    Syntax *used = make.literal(types.int64(0), at);
    bool slurps = false;
    std::vector<Value> names;
    for (const Parameter &p : signature.keywords) {
      Syntax *value = nullptr;
      if (p.vararg) {
        slurps = true;
        std::vector<TypeRef> symbols(names.size(), types.builtins().Symbol);
        TypeRef names_type = types.tuple(std::span<const TypeRef>(symbols));
        Syntax *taken = make.literal(names.empty() ? types.singleton_value(names_type) : Value::structure(names_type, names), at);
        value = make.call(make.base("structdiff", p.at),
                          {given(), make.make(Head::Curly, at, {make.core("NamedTuple", at), taken})}, p.at);
      } else {
        auto is_given = [&] { return make.call(intrinsic(Intrinsic::isdefined), {given(), make.symbol(p.name, p.at)}, p.at); };
        value = make.make(Head::If, p.at,
                          {is_given(), make.call(intrinsic(Intrinsic::getfield), {given(), make.symbol(p.name, p.at)}, p.at),
                           p.default_value ? const_cast<Syntax *>(p.default_value) : missing_keyword(p)});
        Syntax *one = make.call(intrinsic(Intrinsic::ifelse),
                                {is_given(), make.literal(types.int64(1), at), make.literal(types.int64(0), at)}, at);
        used = make.call(intrinsic(Intrinsic::add_int), {used, one}, at);
        names.push_back(Value::symbol(types, p.name));
      }
      statements.push_back(make.make(Head::Assign, p.at, {make.identifier(p.name.text(), p.scope, p.at), value}));
      args.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    if (!slurps) {
      Syntax *all_used = make.call(intrinsic(Intrinsic::egal), {make.call(intrinsic(Intrinsic::nfields), {given()}, at), used}, at);
      Syntax *message = make.literal(
          shared_->string(fmt::format("unsupported keyword argument in a call of {}", callee.name.text())), at);
      statements.push_back(make.make(Head::Or, at, {all_used, make.call(intrinsic(Intrinsic::static_error), {message}, at)}));
    }
    statements.push_back(forwarded(std::move(args), make.identifier(self_name.text(), self_scope, at)));
    SignatureSyntax sorter = named(signature);
    sorter.callee = nullptr;
    Parameter keywords;
    keywords.name = shared_->symbol("#kw");
    keywords.scope = CoreScope;
    keywords.type = make.core("NamedTuple", at);
    keywords.at = at;
    sorter.positional.insert(sorter.positional.begin(), {keywords, self});
    Callee kwcall{shared_->kwcall.type(), shared_->symbol("kwcall"), callee.is_new};
    KILN_CHECK(default_methods(module, sorter, hints, kwcall, nullptr, {}, true));
    KILN_CHECK(method(module, sorter, *make.make(Head::Block, at, std::move(statements)), hints, kwcall, nullptr, {}));
  }
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
  KILN_TRY(SignatureSyntax signature, parse_signature(*shared_, *node.args[0]));
  if (!signature.callee || !signature.callee->is(Head::Identifier))
    return shared_->error("syntax error", "a macro needs a name", node.at);
  Symbol name = shared_->symbol("@" + std::string(signature.callee->name.text()));
  KILN_TRY(Value function, shared_->world.function(module, name, node.at));
  auto macro = std::make_shared<MacroDefinition>();
  macro->module = &module;
  macro->node = &node;
  macro->unit = unit_;
  shared_->add_macro(function, std::move(macro));
  return {};
}

} // namespace kiln::julia
