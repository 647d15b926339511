// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels defined inside a host function, compiled without running it: what they capture is given by name.
#include "definitions.h"
#include "macros.h"

namespace kiln::julia {

namespace {

class Nested {
public:
  Nested(const std::shared_ptr<Shared> &shared, const HostDefinition &host, std::span<const Capture> captures)
      : shared_(shared), host_(host), captures_(captures) {}

  /// Null: the host defines no such function.
  Result<LocalFunction *> find(Symbol name) {
    MethodSource source;
    source.shared = shared_;
    source.module = host_.module;
    KILN_TRY(source.signature, parse_signature(*shared_, signature_of(*host_.node)));
    const Syntax &callee = *source.signature.callee;
    source.name = callee.is(Head::Dot) && callee.args[1]->is(Head::QuotedSymbol) ? callee.args[1]->literal.as_symbol() : callee.name;
    source.body = &body_of(*host_.node);
    source.unit = host_.unit;
    // The host's own signature need not be known: its variables get their values from the captures.
    for (const Syntax *where : source.signature.wheres) {
      const Syntax *variable = where;
      while (!variable->is(Head::Identifier) && !variable->args.empty())
        variable = variable->is(Head::Comparison) && variable->args.size() == 5 ? variable->args[2] : variable->args[0];
      source.statics.emplace_back(variable->name, shared_->types.new_var(variable->name, shared_->types.bottom(),
                                                                         shared_->types.builtins().Any));
    }
    KILN_TRY(body_, analyse(std::move(source)));
    for (LocalFunction *function : body_->scopes->functions())
      if (function->variable && function->variable->name == name)
        return function;
    return nullptr;
  }

  Result<Value> define(LocalFunction &function, Symbol name) {
    auto unit = std::make_shared<Unit>();
    std::vector<Syntax *> bindings;
    KILN_CHECK(bind(function, unit->arena, bindings));
    KILN_TRY(Value value, shared_->world.function(*host_.module, name, function.variable->at));
    for (FunctionScope *method : function.methods) {
      Span at = method->definition->at;
      std::vector<Syntax *> own;
      for (Syntax *binding : bindings)
        own.push_back(copy_tree(unit->arena, *binding));
      Syntax *body = unit->arena.make(Head::Let, at, {unit->arena.make(Head::Block, at, std::move(own)),
                                                      copy_tree(unit->arena, *method->body)});
      Syntax *signature = copy_tree(unit->arena, signature_of(*method->definition));
      MethodSource source;
      source.shared = shared_;
      source.module = host_.module;
      source.name = function.variable->name;
      KILN_TRY(source.signature, parse_signature(*shared_, *signature));
      source.signature.at = at;
      source.body = body;
      source.unit = unit;
      std::vector<std::pair<Symbol, TypeRef>> names = names_;
      TypeEvaluator evaluator(shared_, *host_.module);
      for (auto &[bound, type] : names)
        evaluator.bind(bound, type);
      for (const Syntax *where : source.signature.wheres) {
        KILN_TRY(const TypeVar *var, evaluator.variable(*where));
        evaluator.bind(var->name(), var);
        names.emplace_back(var->name(), var);
      }
      source.signature.return_type = nullptr;
      KILN_TRY(const Method *made, define_method(std::move(source), value.type(), {}, names));
      (void)made;
    }
    return value;
  }

private:
  Result<void> give(Symbol name, Span at, SyntaxArena &arena, std::vector<Syntax *> &bindings) {
    for (auto &[bound, type] : names_)
      if (bound == name)
        return {};
    for (const Capture &capture : captures_) {
      if (capture.first != name.text())
        continue;
      TypeRef type = capture.second.as_type();
      names_.emplace_back(name, type ? type : shared_->types.constant(capture.second));
      bindings.push_back(arena.make(Head::Assign, at, {arena.identifier(name, at), arena.literal(capture.second, at)}));
      return {};
    }
    return shared_->error("UndefVarError", fmt::format("`{}` is captured from `{}` and has no value", name.text(), body_->source.name.text()),
                          at, fmt::format("give it one: --capture {}=...", name.text()));
  }

  Result<void> bind(LocalFunction &function, SyntaxArena &arena, std::vector<Syntax *> &bindings) {
    for (StaticParam *param : function.static_captures)
      KILN_CHECK(give(param->name, function.variable ? function.variable->at : Span(), arena, bindings));
    for (Variable *captured : function.captures) {
      LocalFunction *helper = captured->function;
      if (!helper) {
        KILN_CHECK(give(captured->name, captured->at, arena, bindings));
        continue;
      }
      if (std::find(helpers_.begin(), helpers_.end(), helper) != helpers_.end())
        continue;
      helpers_.push_back(helper);
      KILN_CHECK(bind(*helper, arena, bindings));
      for (FunctionScope *method : helper->methods)
        bindings.push_back(copy_tree(arena, *method->definition));
    }
    return {};
  }

  std::shared_ptr<Shared> shared_;
  HostDefinition host_;
  std::span<const Capture> captures_;
  std::shared_ptr<Body> body_;
  std::vector<std::pair<Symbol, TypeRef>> names_;
  std::vector<LocalFunction *> helpers_;
};

} // namespace

Result<Value> nested_function(const std::shared_ptr<Shared> &shared, const Module &module, const Syntax &host,
                              const Syntax &name, std::span<const Capture> captures) {
  const Module *where = &module;
  Symbol host_name = host.name;
  if (host.is(Head::Dot) && host.args[1]->is(Head::QuotedSymbol)) {
    TypeEvaluator evaluator(shared, module);
    KILN_TRY(where, evaluator.module(*host.args[0]));
    host_name = host.args[1]->literal.as_symbol();
  }
  if (!host_name || !name.is(Head::Identifier))
    return shared->error("syntax error", fmt::format("`{}/{}` names no nested function", brief(host), brief(name)), name.at);
  std::vector<HostDefinition> hosts = shared->hosts(*where, host_name);
  if (where != &module) // a method that this module adds to another's function
    for (HostDefinition &definition : shared->hosts(module, host_name))
      hosts.push_back(std::move(definition));
  for (const HostDefinition &definition : hosts) {
    Nested nested(shared, definition, captures);
    KILN_TRY(LocalFunction *function, nested.find(name.name));
    if (function)
      return nested.define(*function, shared->symbol(fmt::format("{}/{}", host_name.text(), name.name.text())));
  }
  return shared->error("UndefVarError", fmt::format("no function `{}` is defined inside a function `{}`", name.name.text(), host_name.text()),
                       name.at);
}

} // namespace kiln::julia
