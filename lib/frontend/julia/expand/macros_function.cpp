// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands a nested function with optional and keyword arguments to several methods without such arguments.
#include "expander.h"

namespace kiln::julia {

namespace {

/// Makes the methods of one nested function definition.
class MethodWriter {
public:
  MethodWriter(Expander &expander, SyntaxArena &arena, Shared &shared, const SignatureSyntax &signature,
               const Syntax &name, Span at)
      : x_(expander), arena_(arena), shared_(shared), s_(signature), name_(name), at_(at) {}

  Syntax *callee() { return copy_tree(arena_, name_); }
  std::string name_of(size_t i) const {
    const Parameter &p = s_.positional[i];
    return p.name && !p.pattern ? std::string(p.name.text()) : fmt::format("#{}", i + 1);
  }
  Syntax *variable(size_t i) {
    return x_.identifier(name_of(i), s_.positional[i].scope, s_.positional[i].at);
  }
  Syntax *passed(size_t i) {
    Syntax *name = variable(i);
    return s_.positional[i].vararg ? arena_.make(Head::Splat, name->at, {name}) : name;
  }
  /// Makes parameter i of a method. `as_pattern`: keeps a tuple pattern; otherwise the parameter gets a name,
  /// to be passed on.
  Syntax *declared(size_t i, bool as_pattern) {
    const Parameter &p = s_.positional[i];
    Syntax *node = p.pattern && as_pattern ? copy_tree(arena_, *p.pattern) : variable(i);
    if (p.type) node = arena_.make(Head::TypeAssert, p.at, {node, copy_tree(arena_, *p.type)});
    return p.vararg ? arena_.make(Head::Splat, p.at, {node}) : node;
  }
  Syntax *keyword(const Parameter &p) { return x_.identifier(p.name.text(), p.scope, p.at); }
  Syntax *marker_type(TypeRef type) {
    return arena_.make(Head::TypeAssert, at_, {x_.literal(Value::type_value(shared_.types, type), at_)});
  }
  Syntax *marker(TypeRef type) { return x_.literal(shared_.types.singleton_value(type), at_); }

  /// Makes the definition: function name(parameters...) where {...} body end.
  Syntax *method(std::vector<Syntax *> parameters, Syntax *body, bool with_return_type = false) {
    Syntax *head = x_.call(callee(), std::move(parameters), at_);
    if (with_return_type && s_.return_type)
      head = arena_.make(Head::TypeAssert, at_, {head, copy_tree(arena_, *s_.return_type)});
    if (!s_.wheres.empty()) {
      std::vector<Syntax *> where{head};
      for (const Syntax *variable : s_.wheres) where.push_back(copy_tree(arena_, *variable));
      head = arena_.make(Head::Where, at_, std::move(where));
    }
    return arena_.make(Head::Function, at_, {head, body});
  }
  /// Makes a method for each number of optional arguments: f(first..., a) = let b = 1; f(first..., a, b) end.
  void optional(std::vector<Syntax *> &into, const std::function<std::vector<Syntax *>(bool)> &first) {
    size_t count = s_.positional.size(), required = 0;
    while (required < count && !s_.positional[required].default_value) ++required;
    for (size_t given = required; given < count && !s_.positional[given].vararg; ++given) {
      std::vector<Syntax *> parameters = first(true), arguments = first(false), bindings;
      for (size_t i = 0; i < count && !s_.positional[i].vararg; ++i) {
        if (i < given)
          parameters.push_back(declared(i, false));
        else
          bindings.push_back(bound(variable(i), x_.expand(*s_.positional[i].default_value)));
        arguments.push_back(variable(i));
      }
      Syntax *called = x_.call(callee(), std::move(arguments), at_);
      into.push_back(method(std::move(parameters), with_bindings(std::move(bindings), {called})));
    }
  }
  Syntax *bound(Syntax *name, Syntax *value) { return arena_.make(Head::Assign, at_, {name, value}); }
  /// Makes a `let` with these bindings. An argument's name hides a variable of the enclosing function, but
  /// not in its own default.
  Syntax *with_bindings(std::vector<Syntax *> bindings, std::vector<Syntax *> body) {
    return arena_.make(
        Head::Let, at_,
        {arena_.make(Head::Block, at_, std::move(bindings)), arena_.make(Head::Block, at_, std::move(body))});
  }
  Syntax *intrinsic(Intrinsic which) { return x_.literal(shared_.intrinsic(which), at_); }
  Syntax *default_of(const Parameter &p) {
    if (p.vararg) return arena_.make(Head::Tuple, at_, {arena_.make(Head::Parameters, at_)});
    if (p.default_value) return x_.expand(*p.default_value);
    return x_.call(x_.core("throw", p.at),
                   {x_.call(x_.base("UndefKeywordError", p.at), {x_.symbol(p.name, p.at)}, p.at)}, p.at);
  }

  /// Makes the methods of a function with keywords. f(values..., a, b, x...) has the body. f(x...) calls it
  /// with the defaults, and f(sorter, keywords, x...) with the keywords of the call.
  void with_keywords(std::vector<Syntax *> &into, Syntax *body) {
    auto given = [&] { return x_.identifier("#kw", CoreScope, at_); };
    std::vector<Syntax *> own, call, plain, sorter{marker_type(shared_.keyword_sorter), given()};
    std::vector<Syntax *> defaults, taken, checks;
    // One marker more than the plain method has parameters before x::T...: a T has to match the last one.
    // With a single marker, the plain method would match too, and T could be more specific than a keyword's
    // type.
    const bool has_vararg = !s_.positional.empty() && s_.positional.back().vararg;
    for (size_t i = 0; i < (has_vararg ? s_.positional.size() : 1); ++i) {
      own.push_back(marker_type(shared_.keyword_values));
      call.push_back(marker(shared_.keyword_values));
    }
    std::vector<Value> names;
    Syntax *used = x_.integer(0, at_);
    bool slurps = false;
    for (const Parameter &p : s_.keywords) {
      Syntax *parameter = keyword(p);
      own.push_back(p.type && !p.vararg
                        ? arena_.make(Head::TypeAssert, p.at, {parameter, copy_tree(arena_, *p.type)})
                        : parameter);
      call.push_back(keyword(p));
      defaults.push_back(bound(keyword(p), default_of(p)));
      Syntax *value = nullptr;
      if (p.vararg) {
        slurps = true;
        std::vector<TypeRef> symbols(names.size(), shared_.types.builtins().Symbol);
        TypeRef type = shared_.types.tuple(std::span<const TypeRef>(symbols));
        Syntax *others = x_.literal(
            names.empty() ? shared_.types.singleton_value(type) : Value::structure(type, names), at_);
        value = x_.call(x_.base("structdiff", at_),
                        {given(), arena_.make(Head::Curly, at_, {x_.core("NamedTuple", at_), others})}, at_);
      } else {
        auto is_given = [&] {
          return x_.call(intrinsic(Intrinsic::isdefined), {given(), x_.symbol(p.name, at_)}, at_);
        };
        value = arena_.make(Head::If, p.at,
                            {is_given(),
                             x_.call(intrinsic(Intrinsic::getfield), {given(), x_.symbol(p.name, at_)}, at_),
                             default_of(p)});
        Syntax *one =
            x_.call(intrinsic(Intrinsic::ifelse), {is_given(), x_.integer(1, at_), x_.integer(0, at_)}, at_);
        used = x_.call(intrinsic(Intrinsic::add_int), {used, one}, at_);
        names.push_back(Value::symbol(shared_.types, p.name));
      }
      taken.push_back(bound(keyword(p), value));
    }
    if (!slurps) {
      Syntax *all = x_.call(intrinsic(Intrinsic::egal),
                            {x_.call(intrinsic(Intrinsic::nfields), {given()}, at_), used}, at_);
      Syntax *message =
          x_.literal(shared_.string("unsupported keyword argument in a call of a nested function"), at_);
      std::vector<Syntax *> refused{given(), callee()};
      for (size_t i = 0; i < s_.positional.size(); ++i) refused.push_back(passed(i));
      Syntax *refuse = arena_.make(Head::Block, at_,
                                   {x_.call(x_.base("kwerr", at_), std::move(refused), at_),
                                    x_.call(intrinsic(Intrinsic::static_error), {message}, at_)});
      checks.push_back(arena_.make(Head::Or, at_, {all, refuse}));
    }
    for (size_t i = 0; i < s_.positional.size(); ++i) {
      own.push_back(declared(i, true));
      plain.push_back(declared(i, false));
      sorter.push_back(declared(i, false));
      call.push_back(passed(i));
    }
    Syntax *run = x_.call(callee(), std::move(call), at_);
    checks.push_back(copy_tree(arena_, *run));
    into.push_back(method(std::move(own), body, true));
    optional(into, [](bool) { return std::vector<Syntax *>(); });
    into.push_back(method(std::move(plain), with_bindings(std::move(defaults), {run})));
    optional(into, [&](bool parameters) {
      return std::vector<Syntax *>{
          parameters ? marker_type(shared_.keyword_sorter) : marker(shared_.keyword_sorter), given()};
    });
    into.push_back(method(std::move(sorter), with_bindings(std::move(taken), std::move(checks))));
  }

private:
  Expander &x_;
  SyntaxArena &arena_;
  Shared &shared_;
  const SignatureSyntax &s_;
  const Syntax &name_;
  Span at_;
};

} // namespace

Syntax *Expander::expand_function(const Syntax &node) {
  if (node.args.size() < 2) return expand_children(node); // function f end
  Syntax *body = expand(body_of(node));
  Syntax *signature = copy_tree(arena_, signature_of(node));
  auto parsed = shared_->signature(*signature);
  if (!parsed.ok()) return error(node.at, parsed.error().diagnostics().front().message);
  bool optional = std::ranges::any_of(parsed->positional,
                                      [](const Parameter &p) { return p.default_value && !p.vararg; });
  if (!optional && parsed->keywords.empty()) return make(node.head, node.at, {signature, body});
  const Syntax *name = parsed->callee;
  bool anonymous = !name || node.is(Head::Arrow);
  if (anonymous)
    name = identifier(fmt::format("#at{}", node.at.begin), CoreScope, node.at);
  else if (!name->is(Head::Identifier))
    return error(node.at,
                 "optional or keyword arguments of a method of something that is no nested function");
  MethodWriter writer(*this, arena_, *shared_, *parsed, *name, node.at);
  std::vector<Syntax *> all;
  if (!parsed->keywords.empty()) {
    writer.with_keywords(all, body);
  } else {
    writer.optional(all, [](bool) { return std::vector<Syntax *>(); });
    std::vector<Syntax *> parameters;
    for (size_t i = 0; i < parsed->positional.size(); ++i) parameters.push_back(writer.declared(i, true));
    all.push_back(writer.method(std::move(parameters), body, true));
  }
  if (!anonymous) return make(Head::Block, node.at, std::move(all));
  all.push_back(copy_tree(arena_, *name));
  return make(Head::Let, node.at,
              {make(Head::Block, node.at, {}), make(Head::Block, node.at, std::move(all))});
}

/// Expands let a = x, f(y; k = 1) = ..., b = z; ... end. The methods of f become statements of the let's
/// body. The bindings after them become a nested let.
Syntax *Expander::expand_let(const Syntax &node) {
  const Syntax &head = *node.args[0];
  std::vector<const Syntax *> bindings{&head};
  if (head.is(Head::Block)) bindings.assign(head.args.begin(), head.args.end());
  std::vector<Syntax *> before;
  for (size_t i = 0; i < bindings.size(); ++i) {
    Syntax *expanded = expand(*bindings[i]);
    if (!is_function_definition(*bindings[i]) || !expanded->is(Head::Block)) {
      before.push_back(expanded);
      continue;
    }
    std::vector<Syntax *> rest;
    for (size_t k = i + 1; k < bindings.size(); ++k) rest.push_back(copy_tree(arena_, *bindings[k]));
    Syntax *inner = make(Head::Let, node.at,
                         {make(Head::Block, head.at, std::move(rest)), copy_tree(arena_, *node.args[1])});
    Syntax *name = copy_tree(arena_, *callee_of(signature_of(*bindings[i])));
    Syntax *body = make(Head::Block, node.at, {make(Head::Local, name->at, {name})});
    body->args.insert(body->args.end(), expanded->args.begin(), expanded->args.end());
    body->args.push_back(expand(*inner));
    return make(Head::Let, node.at, {make(Head::Block, head.at, std::move(before)), body});
  }
  return make(Head::Let, node.at, {make(Head::Block, head.at, std::move(before)), expand(*node.args[1])});
}

} // namespace kiln::julia
