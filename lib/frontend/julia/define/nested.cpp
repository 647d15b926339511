// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles kernels that are defined inside of a host function, without running that function. The request
// names the values of captured variables.
#include "define.h"

#include <kiln/extension/language/internal/hint.h>

#include <ranges>

namespace kiln::julia {

namespace {

class Nested {
public:
  Nested(const std::shared_ptr<Shared> &shared, const HostDefinition &host, std::span<const Capture> captures)
      : shared_(shared), host_(host), captures_(captures) {}

  /// Finds a function that the host defines; null: it defines none of that name.
  Result<LocalFunction *> find(Symbol name) {
    MethodSource source;
    source.shared = shared_;
    source.module = host_.module;
    KILN_TRY(source.signature, shared_->signature(signature_of(*host_.node)));
    const Syntax &callee = *source.signature.callee;
    source.name = callee.is(Head::Dot) && callee.args[1]->is(Head::QuotedSymbol)
                      ? callee.args[1]->literal.as_symbol()
                      : callee.name;
    source.body = &body_of(*host_.node);
    source.unit = host_.unit;
    // The argument types of the host may be unknown. Captures then give values for its where-variables.
    for (const Syntax *where : source.signature.wheres) {
      const Syntax *variable = where;
      while (!variable->is(Head::Identifier) && !variable->args.empty())
        variable = variable->is(Head::Comparison) && variable->args.size() == 5 ? variable->args[2]
                                                                                : variable->args[0];
      source.statics.emplace_back(
          variable->name,
          shared_->types.new_var(variable->name, shared_->types.bottom(), shared_->types.builtins().Any));
    }
    KILN_TRY(body_, analyse(std::move(source)));
    for (LocalFunction *function : body_->scopes->functions())
      if (function->variable && function->variable->name == name) return function;
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
      for (Syntax *binding : bindings) own.push_back(copy_tree(unit->arena, *binding));
      Syntax *body = unit->arena.make(
          Head::Let, at,
          {unit->arena.make(Head::Block, at, std::move(own)), copy_tree(unit->arena, *method->body)});
      Syntax *signature = copy_tree(unit->arena, signature_of(*method->definition));
      MethodSource source;
      source.shared = shared_;
      source.module = host_.module;
      source.name = function.variable->name;
      KILN_TRY(source.signature, shared_->signature(*signature));
      source.signature.at = at;
      source.body = body;
      source.unit = unit;
      std::vector<std::pair<Symbol, TypeRef>> names = names_;
      TypeEvaluator evaluator(shared_, *host_.module);
      for (auto &[bound, type] : names) evaluator.bind(bound, type);
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
      if (bound == name) return {};
    for (const Capture &capture : captures_) {
      if (capture.first != name.text()) continue;
      TypeRef type = capture.second.as_type();
      names_.emplace_back(name, type ? type : shared_->types.constant(capture.second));
      bindings.push_back(
          arena.make(Head::Assign, at, {arena.identifier(name, at), arena.literal(capture.second, at)}));
      return {};
    }
    return undefined_error(
        name.str(),
        fmt::format("`{}` is captured from `{}` and has no value", name.text(), body_->source.name.text()),
        shared_->locate(at),
        fmt::format("give it one: {}",
                    fmt::format(fmt::runtime(by_door("--capture {}=...",
                                                     "PrecompileJob::captures, \"capture\": {{\"{}\": ...}}",
                                                     "capture={{\"{}\": ...}}")),
                                name.text())));
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
      if (std::find(helpers_.begin(), helpers_.end(), helper) != helpers_.end()) continue;
      helpers_.push_back(helper);
      KILN_CHECK(bind(*helper, arena, bindings));
      for (FunctionScope *method : helper->methods) bindings.push_back(copy_tree(arena, *method->definition));
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

/// Position of a definition's signature, which the method made from it has, too.
static Span place_of(const HostDefinition &host) { return signature_of(*host.node).at; }

/// Text that names a kernel of this method, "host(Int64, Any)/kernel". Empty if its parameter types cannot be
/// written.
static std::string host_example(const Shared &shared, const Method &method, std::string_view host,
                                std::string_view kernel) {
  std::vector<std::string> types;
  TypeRef body = method.signature;
  while (const auto *all = body->as<UnionAllType>()) body = all->body();
  for (TypeRef parameter : body->as<DataType>()->params().subspan(1)) {
    const auto *var = parameter->as<TypeVar>();
    const auto *rest = parameter->as<VarargType>();
    types.push_back(to_string(var ? var->upper() : rest ? rest->element() : parameter));
  }
  return fmt::format("{}({})/{}(...)", host, fmt::join(types, ", "), kernel);
}

/// Returns the methods of the host function, without those that a later definition replaced.
static std::vector<const Method *> methods_of(CompilerWorld &world, const Module &module, Symbol name) {
  auto function = world.lookup(module, name, world.age());
  if (!function.ok() || !*function) return {};
  return world.methods_of(world.types().type_of(**function), world.types().symbol(override_overlay),
                          world.age());
}

Result<Value> nested_function(const std::shared_ptr<Definitions> &shared, const Module &module,
                              const Syntax &host, const Syntax &name, std::span<const Capture> captures) {
  CompilerWorld &world = shared->world;
  const Module *where = &module;
  const bool has_types = host.is(Head::Call); // host(T1, T2)/kernel
  const Syntax &callee = has_types ? *host.args[0] : host;
  Symbol host_name = callee.name;
  if (callee.is(Head::Dot) && callee.args[1]->is(Head::QuotedSymbol)) {
    TypeEvaluator evaluator(shared, module);
    KILN_TRY(where, evaluator.module(*callee.args[0]));
    host_name = callee.args[1]->literal.as_symbol();
  }
  if (!host_name || !name.is(Head::Identifier))
    return shared->error(ErrorCode::SyntaxError,
                         fmt::format("`{}/{}` names no nested function", brief(host), brief(name)), name.at);
  std::vector<HostDefinition> hosts = shared->hosts(*where, host_name);
  if (where != &module) // a method of another module's function, added by this module
    for (HostDefinition &definition : shared->hosts(module, host_name))
      hosts.push_back(std::move(definition));
  const std::vector<const Method *> methods = methods_of(world, *where, host_name);
  auto method_of = [&](const HostDefinition &definition) -> const Method * {
    auto found = std::ranges::find_if(
        methods, [&](const Method *method) { return method->at == place_of(definition); });
    return found == methods.end() ? nullptr : *found;
  };
  const std::string full = fmt::format("{}/{}", brief(host), name.name.text());
  if (has_types) {
    TypeEvaluator evaluator(shared, module);
    KILN_TRY(Value function, evaluator.value(callee));
    KILN_TRY(std::vector<TypeRef> all, argument_types(*shared, evaluator, std::span(host.args).subspan(1)));
    all.insert(all.begin(), shared->types.type_of(function));
    KILN_TRY(MethodMatch match,
             world.lookup_method(shared->types.tuple(std::span<const TypeRef>(all)), world.age(), {}));
    if (!match.method)
      return shared->error(
          ErrorCode::MethodError,
          fmt::format("{} {}",
                      match.ambiguous.empty() ? "no method matching" : "ambiguous:", spell_call(all)),
          host.at,
          fmt::format("`{}` names the method of `{}` that takes these types", full, host_name.text()));
    std::erase_if(hosts, [&](const HostDefinition &each) { return !(place_of(each) == match.method->at); });
  }
  // Ignore replaced definitions. Keep a definition without a method: it could not be evaluated, but may be
  // the one that is meant.
  struct Found {
    Nested nested;
    LocalFunction *function;
    const Method *method;
  };
  std::vector<Found> found;
  std::optional<Error> error;
  bool only_unknown = true;
  for (const HostDefinition &definition : hosts) {
    Nested nested(shared, definition, captures);
    Result<LocalFunction *> function = nested.find(name.name);
    if (!function.ok())
      error = function.take_error();
    else if (*function) {
      const Method *method = method_of(definition);
      only_unknown &= !method;
      found.push_back({std::move(nested), *function, method});
    }
  }
  if (!only_unknown)
    std::erase_if(found, [](const Found &each) { return !each.method; });
  else if (found.size() > 1)
    found.erase(found.begin() + 1, found.end()); // keep the newest
  if (found.size() == 1) return found[0].nested.define(*found[0].function, shared->symbol(full));
  if (!found.empty()) {
    Diagnostic d{ErrorCode::KernelError,
                 fmt::format("`{}` is ambiguous: {} methods of `{}` define a function `{}`", full,
                             found.size(), host_name.text(), name.name.text()),
                 shared->locate(host.at),
                 {},
                 {},
                 {}};
    std::string example;
    for (const Found &each : std::views::reverse(found)) {
      d.notes.push_back({fmt::format("candidate: {}", spell_signature(each.method->signature)),
                         shared->locate(each.method->at)});
      if (example.empty()) example = host_example(*shared, *each.method, brief(callee), name.name.text());
    }
    d.hint = fmt::format("name the method by types that it takes: {}", example);
    return Error(std::move(d));
  }
  if (error) return *error;
  return undefined_error(
      name.name.str(),
      fmt::format("no function `{}` is defined inside a function `{}`", name.name.text(), brief(host)),
      shared->locate(name.at));
}

} // namespace kiln::julia
