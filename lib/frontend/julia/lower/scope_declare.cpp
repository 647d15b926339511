// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the names that a scope declares: those that its own statements assign, without statements of inner
// scopes.
#include "scope.h"

namespace kiln::julia {

void ScopeAnalysis::collect_target(const Syntax &lhs, Collected &into) {
  switch (lhs.head) {
  case Head::Identifier: into.assigned.push_back(&lhs); break;
  case Head::TypeAssert:
  case Head::Splat: collect_target(*lhs.args[0], into); break;
  case Head::Tuple:
  case Head::Parameters:
    for (const Syntax *element : lhs.args) collect_target(*element, into);
    break;
  default: collect(lhs, into);
  }
}

void ScopeAnalysis::collect(const Syntax &node, Collected &into) {
  switch (node.head) {
  case Head::Identifier:
  case Head::Literal:
  case Head::QuotedSymbol:
  case Head::Quote:
  case Head::Arrow:
  case Head::Try:
  case Head::Let: return;
  case Head::Assign:
    if (is_function_definition(node)) {
      if (const Syntax *callee = callee_of(signature_of(node)); callee && callee->is(Head::Identifier))
        into.assigned.push_back(callee);
      return;
    }
    collect_target(*node.args[0], into);
    collect(*node.args[1], into);
    return;
  case Head::OpAssign:
    collect_target(*node.args[1], into);
    collect(*node.args[2], into);
    return;
  case Head::Function:
    if (const Syntax *callee = callee_of(signature_of(node)); callee && callee->is(Head::Identifier))
      into.assigned.push_back(callee);
    else if (node.args[0]->is(Head::Identifier))
      into.assigned.push_back(node.args[0]);
    return;
  case Head::Local:
    for (const Syntax *child : node.args) {
      const Syntax *target = child;
      if (child->is(Head::Assign) && !is_function_definition(*child)) {
        target = child->args[0];
        collect(*child->args[1], into);
      }
      Collected names;
      if (is_function_definition(*child))
        collect(*child, names);
      else
        collect_target(*target, names);
      into.locals.insert(into.locals.end(), names.assigned.begin(), names.assigned.end());
    }
    return;
  case Head::Global:
    for (const Syntax *child : node.args) {
      Collected names;
      collect_target(child->is(Head::Assign) ? *child->args[0] : *child, names);
      into.globals.insert(into.globals.end(), names.assigned.begin(), names.assigned.end());
    }
    return;
  case Head::For: { // the first range belongs to the outer scope, each later one to the loop before it
    const Syntax *head = node.args[0];
    if (head->is(Head::Block) && !head->args.empty()) head = head->args[0];
    if (head->is(Head::Assign)) collect(*head->args[1], into);
    return;
  }
  case Head::While: collect(*node.args[0], into); return;
  case Head::Kw: collect(*node.args[1], into); return;
  default:
    for (const Syntax *child : node.args) collect(*child, into);
  }
}

/// True if an assignment of this name, which is not declared yet, is to a global of the program. Names that
/// macros make are local to the statement.
bool ScopeAnalysis::is_global(const Scope &scope, const Syntax &name) const {
  if (name.scope != 0 || scope.kind == Scope::Kind::Hard) return false;
  if (scope.kind == Scope::Kind::Global) return true;
  return shared_.program == Shared::ProgramMode::Interactive && shared_.program_module &&
         shared_.world.has_own(*shared_.program_module, name.name);
}

void ScopeAnalysis::declare(Scope &scope, const Collected &names) {
  for (const Syntax *name : names.globals) {
    scope.names.try_emplace({name->name, name->scope});
    globals_.insert(name);
  }
  for (const Syntax *name : names.locals) {
    auto [it, fresh] = scope.names.try_emplace({name->name, name->scope});
    if (fresh)
      it->second.variable = new_variable(name->name, scope.function, name->at);
    else if (!it->second.variable)
      fail(*name, fmt::format("`{}` is declared both local and otherwise", name->name.text()));
  }
  for (const Syntax *name : names.assigned) {
    Entry *known = look_up(&scope, *name);
    if (known && (known->variable || !known->static_param))
      continue; // an outer scope's variable, or declared global
    if (is_global(scope, *name)) {
      scope.names[{name->name, name->scope}] = {};
      continue;
    }
    Entry &entry = scope.names[{name->name, name->scope}];
    entry = {};
    entry.variable = new_variable(name->name, scope.function, name->at);
  }
}

} // namespace kiln::julia
