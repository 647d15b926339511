// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Defines the additional methods that optional and keyword arguments need.
#include "define.h"

namespace kiln::julia {

static bool mentions(const Syntax &node, Symbol name) {
  if (node.is(Head::Identifier) && node.name == name) return true;
  for (const Syntax *child : node.args)
    if (mentions(*child, name)) return true;
  return false;
}

/// Removes where-variables that a signature with fewer arguments does not use, since they would stay unbound.
static void keep_named_variables(SignatureSyntax &signature) {
  std::vector<const Syntax *> kept;
  for (size_t i = signature.wheres.size(); i-- > 0;) {
    const Syntax *variable = signature.wheres[i];
    while (!variable->is(Head::Identifier) && !variable->args.empty()) // find T in `T <: A` and `A <: T <: B`
      variable = variable->is(Head::Comparison) && variable->args.size() == 5 ? variable->args[2]
                                                                              : variable->args[0];
    bool named = signature.callee && mentions(*signature.callee, variable->name);
    for (const Parameter &parameter : signature.positional)
      named |= parameter.type && mentions(*parameter.type, variable->name);
    for (const Syntax *other : kept) named |= mentions(*other, variable->name);
    if (named) kept.insert(kept.begin(), signature.wheres[i]);
  }
  signature.wheres = std::move(kept);
}

/// Makes let a = x, b = y; body end. A default value sees the arguments before it. In its own default an
/// argument's name has the outer meaning: f(x; length = length(x)).
static Syntax *with_bindings(Expander &make, Span at, std::vector<Syntax *> bindings,
                             std::vector<Syntax *> body) {
  return make.make(
      Head::Let, at,
      {make.make(Head::Block, at, std::move(bindings)), make.make(Head::Block, at, std::move(body))});
}

/// Defines the methods with fewer arguments. For f(a, b = 1, c = b) these are f(a) = let b = 1, c = b; f(a,
/// b, c) end and f(a, b) = ... `keyword_sorter`: the first two parameters are the keywords and the function,
/// and are passed on unchanged.
Result<void> Definer::default_methods(Module &module, const SignatureSyntax &signature, MethodHints hints,
                                      const Callee &callee, TypeRef constructed, Symbol constructed_name,
                                      bool keyword_sorter) {
  hints.generated = false; // they only forward
  Expander make(shared_, module, unit_->arena);
  size_t count = signature.positional.size();
  size_t first = 0;
  while (first < count && !signature.positional[first].default_value) ++first;
  for (size_t given = first; given < count && !signature.positional[given].vararg; ++given) {
    SignatureSyntax stub;
    stub.at = signature.at;
    stub.callee = signature.callee;
    stub.wheres = signature.wheres;
    std::vector<Syntax *> passed, bindings;
    for (size_t i = 0; i < count && !signature.positional[i].vararg; ++i) {
      Parameter p = signature.positional[i];
      if (!p.name || p.pattern) p.name = shared_->symbol(fmt::format("#{}", i + 1));
      if (i < given) {
        p.pattern = nullptr;
        p.default_value = nullptr;
        stub.positional.push_back(p);
      } else {
        bindings.push_back(make.make(
            Head::Assign, p.at,
            {make.identifier(p.name.text(), p.scope, p.at), const_cast<Syntax *>(p.default_value)}));
      }
      passed.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    keep_named_variables(stub);
    Syntax *self = keyword_sorter ? make.literal(shared_->kwcall, signature.at)
                                  : make.identifier("#self#", CoreScope, signature.at);
    Syntax *called = make.call(self, std::move(passed), signature.at);
    Syntax *body = with_bindings(make, signature.at, std::move(bindings), {called});
    KILN_CHECK(method(module, std::move(stub), *body, hints, callee, constructed, constructed_name));
  }
  return {};
}

/// Defines the methods of f(x; a = 1, b). The code becomes #f#kw(a, b, f, x). f(x) calls it with the
/// defaults, and kwcall((a = ..,), f, x) with the keywords of the call.
Result<void> Definer::keyword_methods(Module &module, const SignatureSyntax &signature, const Syntax &body,
                                      MethodHints hints, const Callee &callee, TypeRef constructed,
                                      Symbol constructed_name) {
  Expander make(shared_, module, unit_->arena);
  TypeContext &types = shared_->types;
  Span at = signature.at;
  // ---- method with the code
  KILN_TRY(Value code,
           shared_->world.function(module, shared_->symbol(fmt::format("#{}#kw", callee.name.text())), at));
  SignatureSyntax inner;
  inner.at = at;
  inner.wheres = signature.wheres;
  inner.return_type = signature.return_type;
  for (const Parameter &keyword : signature.keywords) {
    Parameter p = keyword;
    p.default_value = nullptr;
    p.vararg = false; // a parameter `kw...` receives the remaining keywords as a named tuple
    inner.positional.push_back(p);
  }
  // The function is a parameter of #f#kw, under its own name if the definition gives one: (m::Model)(x; a).
  const Syntax *self_type = nullptr;
  Symbol self_name = shared_->symbol("#f");
  uint32_t self_scope = CoreScope;
  if (signature.callee->is(Head::TypeAssert)) {
    self_type = signature.callee->args.back();
    if (signature.callee->args.size() == 2 && signature.callee->args[0]->is(Head::Identifier)) {
      self_name = signature.callee->args[0]->name;
      self_scope = signature.callee->args[0]->scope;
    }
  } else if (callee.self->has_free_vars()) { // P{T}(...; ...) where T
    self_type =
        make.make(Head::Curly, at, {make.core("Type", at), copy_tree(unit_->arena, *signature.callee)});
  } else {
    self_type = make.literal(Value::type_value(types, callee.self), at);
  }
  Parameter self;
  self.name = self_name;
  self.scope = self_scope;
  self.type = self_type;
  self.at = at;
  inner.positional.push_back(self);
  inner.self_argument = uint32_t(inner.positional.size()); // position of the type that `new` makes
  for (const Parameter &positional : signature.positional) {
    Parameter p = positional;
    p.default_value = nullptr;
    inner.positional.push_back(p);
  }
  Callee code_callee{code.type(), callee.name, true};
  KILN_CHECK(method(module, inner, body, hints, code_callee, constructed, constructed_name));
  hints.generated = false;

  auto forwarded = [&](std::vector<Syntax *> args, Syntax *function, Syntax *called = nullptr) {
    args.push_back(function);
    for (size_t i = 0; i < signature.positional.size(); ++i) {
      const Parameter &p = signature.positional[i];
      std::string name = p.name && !p.pattern ? std::string(p.name.text()) : fmt::format("#{}", i + 1);
      Syntax *id = make.identifier(name, p.scope, p.at);
      args.push_back(p.vararg ? make.make(Head::Splat, p.at, {id}) : id);
    }
    return make.call(called ? called : make.literal(code, at), std::move(args), at);
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
    return make.call(make.core("throw", p.at),
                     {make.call(make.base("UndefKeywordError", p.at), {make.symbol(p.name, p.at)}, p.at)},
                     p.at);
  };
  auto empty_keywords = [&] { return make.make(Head::Tuple, at, {make.make(Head::Parameters, at, {})}); };
  // ---- without keywords
  {
    std::vector<Syntax *> bindings, args;
    for (const Parameter &p : signature.keywords) {
      Syntax *value = p.vararg          ? make.call(make.base("pairs", p.at), {empty_keywords()}, p.at)
                      : p.default_value ? const_cast<Syntax *>(p.default_value)
                                        : missing_keyword(p);
      bindings.push_back(
          make.make(Head::Assign, p.at, {make.identifier(p.name.text(), p.scope, p.at), value}));
      args.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    Syntax *run = forwarded(std::move(args), make.identifier("#self#", CoreScope, at));
    SignatureSyntax plain = named(signature);
    KILN_CHECK(default_methods(module, plain, hints, callee, constructed, constructed_name, false));
    KILN_CHECK(method(module, plain, *with_bindings(make, at, std::move(bindings), {run}), hints, callee,
                      constructed, constructed_name));
  }
  // ---- with keywords
  {
    auto intrinsic = [&](Intrinsic i) { return make.literal(shared_->intrinsic(i), at); };
    auto given = [&] { return make.identifier("#kw", CoreScope, at); };
    std::vector<Syntax *> bindings, statements, args;
    Syntax *used = make.literal(types.int64(0), at);
    bool slurps = false;
    std::vector<Value> names;
    for (const Parameter &p : signature.keywords) {
      Syntax *value = nullptr;
      if (p.vararg) {
        slurps = true;
        std::vector<TypeRef> symbols(names.size(), types.builtins().Symbol);
        TypeRef names_type = types.tuple(std::span<const TypeRef>(symbols));
        Syntax *taken = make.literal(
            names.empty() ? types.singleton_value(names_type) : Value::structure(names_type, names), at);
        value = make.call(make.base("structdiff", p.at),
                          {given(), make.make(Head::Curly, at, {make.core("NamedTuple", at), taken})}, p.at);
        value = make.call(make.base("pairs", p.at), {value}, p.at);
      } else {
        auto is_given = [&] {
          return make.call(intrinsic(Intrinsic::isdefined), {given(), make.symbol(p.name, p.at)}, p.at);
        };
        value =
            make.make(Head::If, p.at,
                      {is_given(),
                       make.call(intrinsic(Intrinsic::getfield), {given(), make.symbol(p.name, p.at)}, p.at),
                       p.default_value ? const_cast<Syntax *>(p.default_value) : missing_keyword(p)});
        Syntax *one =
            make.call(intrinsic(Intrinsic::ifelse),
                      {is_given(), make.literal(types.int64(1), at), make.literal(types.int64(0), at)}, at);
        used = make.call(intrinsic(Intrinsic::add_int), {used, one}, at);
        names.push_back(Value::symbol(types, p.name));
      }
      bindings.push_back(
          make.make(Head::Assign, p.at, {make.identifier(p.name.text(), p.scope, p.at), value}));
      args.push_back(make.identifier(p.name.text(), p.scope, p.at));
    }
    if (!slurps) {
      Syntax *all_used = make.call(intrinsic(Intrinsic::egal),
                                   {make.call(intrinsic(Intrinsic::nfields), {given()}, at), used}, at);
      Syntax *message = make.literal(
          shared_->string(fmt::format("unsupported keyword argument in a call of {}", callee.name.text())),
          at);
      // A program throws a MethodError, and compiled code is refused.
      Syntax *refuse = make.make(
          Head::Block, at,
          {forwarded({given()}, make.identifier(self_name.text(), self_scope, at), make.base("kwerr", at)),
           make.call(intrinsic(Intrinsic::static_error), {message}, at)});
      statements.push_back(make.make(Head::Or, at, {all_used, refuse}));
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
    KILN_CHECK(default_methods(module, sorter, hints, kwcall, constructed, constructed_name, true));
    Syntax *sorted = with_bindings(make, at, std::move(bindings), std::move(statements));
    KILN_CHECK(method(module, sorter, *sorted, hints, kwcall, constructed, constructed_name));
  }
  return {};
}

} // namespace kiln::julia
