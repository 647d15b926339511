// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scope.h"

namespace kiln::julia {

void ScopeAnalysis::fail(const Syntax &at, std::string message) {
  if (!error_) error_ = shared_.error(ErrorCode::SyntaxError, std::move(message), at.at);
}

Variable *ScopeAnalysis::new_variable(Symbol name, FunctionScope *owner, Span at) {
  variable_store_.push_back({.name = name, .owner = owner, .at = at});
  return &variable_store_.back();
}

ScopeAnalysis::Entry *ScopeAnalysis::look_up(Scope *scope, const Syntax &identifier) {
  Key key{identifier.name, identifier.scope};
  for (; scope; scope = scope->parent)
    if (auto it = scope->names.find(key); it != scope->names.end()) return &it->second;
  return nullptr;
}

// ---- uses

void ScopeAnalysis::capture(Variable &variable, FunctionScope &from) {
  for (FunctionScope *at = &from; at && at != variable.owner; at = at->parent) {
    LocalFunction *function = at->function;
    // A function that names itself does not capture itself.
    if (!function || function->variable == &variable) return;
    if (std::find(function->captures.begin(), function->captures.end(), &variable) ==
        function->captures.end())
      function->captures.push_back(&variable);
  }
}

void ScopeAnalysis::use(const Syntax &identifier, Scope &scope) {
  Entry *entry = look_up(&scope, identifier);
  if (!entry) return;
  if (entry->variable) {
    variables_[&identifier] = entry->variable;
    capture(*entry->variable, *scope.function);
    return;
  }
  if (!entry->static_param) {
    globals_.insert(&identifier);
    return;
  }
  StaticParam *param = entry->static_param;
  statics_[&identifier] = param;
  for (FunctionScope *at = scope.function; at && at != param->owner; at = at->parent) {
    auto &list = at->function->static_captures;
    if (std::find(list.begin(), list.end(), param) == list.end()) list.push_back(param);
  }
}

void ScopeAnalysis::assign(const Syntax &identifier, Scope &scope) {
  Entry *entry = look_up(&scope, identifier);
  if (!entry) return;
  if (!entry->variable) {
    globals_.insert(&identifier);
    return;
  }
  Variable &variable = *entry->variable;
  variables_[&identifier] = &variable;
  if (scope.function == variable.owner) return;
  capture(variable, *scope.function);
  variable.assigned_inside = true;
}

void ScopeAnalysis::walk_target(const Syntax &lhs, Scope &scope) {
  switch (lhs.head) {
  case Head::Identifier: assign(lhs, scope); break;
  case Head::TypeAssert:
    walk(*lhs.args[1], scope);
    walk_target(*lhs.args[0], scope);
    if (Variable *variable = this->variable(*lhs.args[0]); variable && !variable->declared_type)
      variable->declared_type = lhs.args[1];
    break;
  case Head::Tuple:
  case Head::Parameters:
  case Head::Splat:
    for (const Syntax *element : lhs.args) walk_target(*element, scope);
    break;
  default: walk(lhs, scope);
  }
}

void ScopeAnalysis::walk_all(const Syntax &node, Scope &scope, size_t from) {
  for (size_t i = from; i < node.args.size(); ++i) walk(*node.args[i], scope);
}

void ScopeAnalysis::note_fresh(const Syntax &node, const Scope &scope) {
  for (auto &[key, entry] : scope.names)
    if (entry.variable) fresh_[&node].push_back(entry.variable);
}

void ScopeAnalysis::walk_block(const Syntax &body, Scope &parent, bool is_hard) {
  Scope inner{&parent, parent.function, {}, is_hard ? Scope::Kind::Hard : parent.inner()};
  Collected names;
  collect(body, names);
  declare(inner, names);
  note_fresh(body, inner);
  walk(body, inner);
}

void ScopeAnalysis::walk_try(const Syntax &node, Scope &scope) {
  walk_block(*node.args[0], scope);
  if (node.args[2]->is(Head::Block)) {
    Scope caught{&scope, scope.function, {}, scope.inner()};
    if (node.args[1]->is(Head::Identifier)) {
      Collected fresh;
      fresh.assigned = {node.args[1]}; // as in Julia: an assignment, to a local variable around the try too
      declare(caught, fresh);
      note_fresh(*node.args[1], caught);
      assign(*node.args[1], caught);
    }
    walk_block(*node.args[2], caught);
  }
  for (size_t i : {size_t(4), size_t(3)}) // else, finally
    if (node.args[i]->is(Head::Block)) walk_block(*node.args[i], scope);
}

void ScopeAnalysis::walk(const Syntax &node, Scope &scope) {
  switch (node.head) {
  case Head::Identifier: use(node, scope); return;
  case Head::Literal:
  case Head::QuotedSymbol:
  case Head::Quote: return;
  case Head::Try: walk_try(node, scope); return;
  case Head::Arrow:
  case Head::Function: walk_function(node, scope); return;
  case Head::Assign:
    if (is_function_definition(node)) {
      walk_function(node, scope);
      return;
    }
    walk(*node.args[1], scope);
    walk_target(*node.args[0], scope);
    return;
  case Head::OpAssign:
    walk(*node.args[0], scope);
    walk(*node.args[2], scope);
    walk(*node.args[1], scope);
    if (node.args[1]->is(Head::Identifier)) walk_target(*node.args[1], scope);
    return;
  case Head::Local:
    for (const Syntax *child : node.args) {
      if (child->is(Head::Assign)) {
        walk(*child, scope);
      } else if (child->is(Head::TypeAssert)) {
        walk(*child->args[1], scope);
        if (Entry *entry = look_up(&scope, *child->args[0]); entry && entry->variable)
          entry->variable->declared_type = child->args[1];
      } else if (is_function_definition(*child)) {
        walk_function(*child, scope);
      }
    }
    return;
  case Head::Global: walk_all(node, scope); return;
  case Head::For: walk_for(node, scope); return;
  case Head::While:
    walk(*node.args[0], scope);
    walk_block(*node.args[1], scope);
    return;
  case Head::Let: walk_let(node, scope); return;
  case Head::Kw: walk_all(node, scope, 1); return;
  case Head::MacroCall:
    if (node.args[0]->name.text() == "@#local") {
      const Entry *entry = look_up(&scope, *node.args[1]);
      if (entry && (entry->variable || entry->static_param))
        walk(*node.args[entry->variable ? node.args.size() - 1 : 1], scope);
      return;
    }
    walk_all(node, scope, 1);
    return;
  default: walk_all(node, scope);
  }
}

void ScopeAnalysis::walk_for(const Syntax &node, Scope &scope) {
  const Syntax &head = *node.args[0];
  std::vector<const Syntax *> iterations;
  if (head.is(Head::Assign))
    iterations.push_back(&head);
  else
    iterations.assign(head.args.begin(), head.args.end());
  // In `for i in a, j in f(i)`, the range of a loop sees the variables of the loops before it.
  std::deque<Scope> scopes;
  Scope *at = &scope;
  for (const Syntax *iteration : iterations) {
    if (at != &scope) declare_assigned(*iteration->args[1], *at);
    walk(*iteration->args[1], *at);
    scopes.push_back(Scope{at, scope.function, {}, at->inner()});
    at = &scopes.back();
    Collected names;
    collect_target(*iteration->args[0], names);
    Collected fresh;
    fresh.locals = names.assigned; // a loop variable never refers to an outer variable
    declare(*at, fresh);
    note_fresh(*iteration->args[0], *at);
    walk_target(*iteration->args[0], *at);
  }
  walk_block(*node.args[1], *at);
}

void ScopeAnalysis::walk_let(const Syntax &node, Scope &scope) {
  std::deque<Scope> scopes;
  Scope *at = &scope;
  const Syntax &bindings = *node.args[0];
  std::vector<const Syntax *> list{&bindings};
  if (bindings.is(Head::Block)) list.assign(bindings.args.begin(), bindings.args.end());
  for (const Syntax *binding : list) {
    bool is_function = is_function_definition(*binding);
    if (binding->is(Head::Assign) && !is_function) {
      // A name that is first assigned inside of the value is local to the let, as in Julia's lowering.
      scopes.push_back(Scope{at, scope.function, {}});
      at = &scopes.back();
      declare_assigned(*binding->args[1], *at);
      note_fresh(*binding, *at);
      walk(*binding->args[1], *at);
    }
    scopes.push_back(Scope{at, scope.function, {}});
    at = &scopes.back();
    Collected fresh, names;
    if (is_function)
      collect(*binding, names);
    else
      collect_target(binding->is(Head::Assign) ? *binding->args[0] : *binding, names);
    fresh.locals = names.assigned;
    declare(*at, fresh);
    note_fresh(*binding, *at);
    if (is_function)
      walk_function(*binding, *at);
    else if (binding->is(Head::Assign))
      walk_target(*binding->args[0], *at);
  }
  walk_block(*node.args[1], *at, /*is_hard=*/true);
}

void ScopeAnalysis::walk_function(const Syntax &node, Scope &scope) {
  const Syntax *signature_node = node.args[0];
  bool forward = node.is(Head::Function) && signature_node->is(Head::Identifier);
  auto parsed = shared_.signature(*signature_node);
  if (!parsed.ok()) {
    if (!error_) error_ = parsed.take_error();
    return;
  }
  Variable *variable = nullptr;
  const Syntax *callee = node.is(Head::Arrow) ? nullptr : parsed->callee;
  if (forward) callee = signature_node;
  if (callee) {
    if (!callee->is(Head::Identifier)) {
      fail(*callee, fmt::format("a method of `{}` cannot be defined inside a function", brief(*callee)));
      return;
    }
    Entry *entry = look_up(&scope, *callee);
    if (!entry || !entry->variable) {
      fail(*callee,
           fmt::format("a global method of `{}` cannot be defined inside a function", callee->name.text()));
      return;
    }
    variable = entry->variable;
    variables_[callee] = variable;
  }
  if (forward) return; // `function f end`: declared only
  LocalFunction *function = variable ? variable->function : nullptr;
  if (!function) {
    function_store_.push_back({.variable = variable, .parent = scope.function});
    function = &function_store_.back();
    function->index = uint32_t(function_order_.size() + 1);
    function_order_.push_back(function);
    if (variable) {
      variable->function = function;
      assign(*callee, scope); // all definitions of a function count as one assignment
    }
  }
  functions_[&node] = function;
  scope_store_.push_back({.parent = scope.function, .function = function, .definition = &node});
  FunctionScope &inner = scope_store_.back();
  inner.signature = std::move(*parsed);
  inner.body = &body_of(node);
  function->methods.push_back(&inner);
  // Default values are evaluated at the call, argument types at the definition.
  walk_body(inner, &scope);
}

static const Syntax *where_name(const Syntax &where) {
  if (where.is(Head::Comparison) && where.args.size() == 5) return where.args[2];
  return where.is(Head::Identifier) || where.args.empty() ? &where : where.args[0];
}

static uint32_t where_scope(const SignatureSyntax &signature, Symbol name) {
  for (const Syntax *where : signature.wheres)
    if (where_name(*where)->name == name) return where_name(*where)->scope;
  return 0;
}

void ScopeAnalysis::walk_body(FunctionScope &function, Scope *outer) {
  Scope statics{outer, &function, {}};
  for (StaticParam *param : function.own_statics) // the method's are made already
    statics.names[{param->name, where_scope(function.signature, param->name)}].static_param = param;
  if (outer) {
    for (const Syntax *where : function.signature.wheres) {
      const Syntax *name = where_name(*where);
      static_store_.push_back({.name = name->name, .owner = &function});
      function.own_statics.push_back(&static_store_.back());
      statics.names[{name->name, name->scope}].static_param = &static_store_.back();
    }
    for (const Syntax *where : function.signature.wheres)
      if (!where->is(Head::Identifier)) walk_all(*where, statics);
  }
  Scope body{&statics, &function, {}};
  if (!outer && shared_.is_top_level && shared_.program != Shared::ProgramMode::None)
    body.kind = Scope::Kind::Global;
  const Syntax *callee = function.signature.callee;
  if (!outer && callee && callee->is(Head::TypeAssert) && callee->args.size() == 2 &&
      callee->args[0]->is(Head::Identifier)) {
    const Syntax &name = *callee->args[0];
    function.self = new_variable(name.name, &function, name.at);
    function.self->is_argument = true;
    body.names[{name.name, name.scope}].variable = function.self;
  }
  for (const Parameter &parameter : function.signature.positional) {
    Variable *variable =
        new_variable(parameter.name ? parameter.name : shared_.symbol("#unused#"), &function, parameter.at);
    variable->is_argument = true;
    function.arguments.push_back(variable);
    if (parameter.name) body.names[{parameter.name, parameter.scope}].variable = variable;
    if (parameter.type) walk(*parameter.type, statics);
  }
  Collected names;
  for (const Parameter &parameter : function.signature.positional)
    if (parameter.pattern) {
      Collected pattern;
      collect_target(*parameter.pattern, pattern);
      Collected fresh;
      fresh.locals = pattern.assigned;
      declare(body, fresh);
    }
  if (function.signature.return_type) walk(*function.signature.return_type, body);
  collect(*function.body, names);
  declare(body, names);
  for (const Parameter &parameter : function.signature.positional)
    if (parameter.pattern) walk_target(*parameter.pattern, body);
  walk(*function.body, body);
}

Result<FunctionScope *> ScopeAnalysis::method(const SignatureSyntax &signature, const Syntax &body,
                                              std::span<const std::pair<Symbol, const TypeVar *>> statics) {
  scope_store_.push_back({});
  FunctionScope &root = scope_store_.back();
  root.signature = signature;
  root.body = &body;
  for (auto &[name, var] : statics) {
    static_store_.push_back({.name = name, .owner = &root, .var = var});
    root.own_statics.push_back(&static_store_.back());
    root.code_statics.push_back(&static_store_.back());
    root.code_vars.push_back(var);
  }
  walk_body(root, nullptr);
  if (error_) return std::move(*error_);
  return &root;
}

} // namespace kiln::julia
