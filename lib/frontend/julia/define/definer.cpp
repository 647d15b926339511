// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "define.h"

namespace kiln::julia {

Result<void> Definer::file(Module &into, const Syntax &tree) {
  StageScope stage(shared_->timer, Stage::Evaluate);
  statement(into, tree);
  if (!faults_.empty()) return Error(std::move(faults_));
  return {};
}

void Definer::note_skipped(const Syntax &node, std::string_view why) {
  std::string what = brief(node);
  if (!why.empty()) what += fmt::format(" ({})", why);
  report_.skipped.push_back({std::move(what), shared_->locate(node.at)});
}

bool Definer::runs_statements(const Module &module) const {
  if (program_ || !shared_->packages.owner(module)) return false;
  if (!shared_->has_host) shared_->packages.wants_host = true;
  return shared_->has_host;
}

void Definer::other_statement(Module &module, const Syntax &node) {
  if (!runs_statements(module)) {
    note_skipped(node);
    return;
  }
  run_top_level(module, node);
}

void Definer::note_error(Error error, const Syntax &node) {
  for (Diagnostic &diagnostic : error.diagnostics()) {
    if (!diagnostic.at) diagnostic.at = shared_->locate(node.at);
    // An unknown name may belong to a package that Kiln lacks. Such a fault is reported only if the
    // definition is used.
    bool fatal = diagnostic.code == ErrorCode::SyntaxError || error.kind() != ErrorKind::Input;
    (fatal ? faults_ : report_.unresolved).push_back(std::move(diagnostic));
  }
}

/// Defines a method of a function at top level. If that fails, code that calls the function gets the error.
void Definer::top_function(Module &module, const Syntax &node, MethodHints hints) {
  Result<void> made = function(module, node, hints);
  if (!made.ok() && made.error().kind() == ErrorKind::Input)
    if (const Syntax *callee = callee_of(signature_of(node)); callee && callee->is(Head::Identifier)) {
      const Diagnostic &why = made.error().diagnostics().front();
      shared_->world.note_missing(module,
                                  fmt::format("its definition at {} could not be evaluated: {}: {}",
                                              shared_->world.sources().describe(node.at), why.name(),
                                              why.message),
                                  callee->name);
    }
  check(std::move(made), node);
}

void Definer::statement(Module &module, const Syntax &node) {
  if (program_ && program_statement(module, node)) return;
  define(module, node);
  if (!program_) return;
  value_ = shared_->types.nothing();
  settle(node);
  if (!failure_) value_ = value_of_definition(module, node);
}

/// True if the statements inside of this node are in the file's text, and are evaluated at most once.
static bool keeps_statements(const Syntax &node) {
  switch (node.head) {
  case Head::Toplevel:
  case Head::Block:
  case Head::Doc:
  case Head::Module:
  case Head::If:
  case Head::ElseIf:
  case Head::Try: return true;
  case Head::MacroCall: return macro_name(node).text() == "@static";
  default: return false;
  }
}

void Definer::define(Module &module, const Syntax &node) {
  const bool outer_notes = notes_statements_;
  notes_statements_ = outer_notes && keeps_statements(node);
  define_node(module, node);
  notes_statements_ = outer_notes;
}

void Definer::define_node(Module &module, const Syntax &node) {
  switch (node.head) {
  case Head::Toplevel:
  case Head::Block: statements(module, node); return;
  case Head::Postponed: postponed(module, node); return;
  case Head::Doc:
    // a call after a docstring only names the method that it documents
    if (!node.args.back()->is(Head::Call)) statement(module, *node.args.back());
    if (program_) note_doc(module, node);
    return;
  case Head::Module: this->module(module, node); return;
  case Head::Import:
  case Head::Using: import(module, node); return;
  case Head::Export:
    for (const Syntax *name : node.args) export_name(module, name->name);
    return;
  case Head::Public: return;
  case Head::Function: top_function(module, node, {}); return;
  case Head::Assign:
    if (is_function_definition(node))
      top_function(module, node, {});
    else
      check(assignment(module, node, false), node);
    return;
  case Head::Const:
  case Head::Global: {
    bool is_const = node.is(Head::Const);
    for (const Syntax *child : node.args) {
      while ((child->is(Head::Const) || child->is(Head::Global)) && child->args.size() == 1) {
        is_const |= child->is(Head::Const);
        child = child->args[0];
      }
      if (child->is(Head::Assign) && is_function_definition(*child))
        top_function(module, *child, {});
      else if (child->is(Head::Assign))
        check(assignment(module, *child, is_const), *child);
    }
    return;
  }
  case Head::Struct: check(structure(module, node), node); return;
  case Head::Abstract: check(abstract(module, node), node); return;
  case Head::Primitive: check(primitive(module, node), node); return;
  case Head::Macro: check(macro(module, node), node); return;
  case Head::MacroCall: macro_call(module, node, {}); return;
  case Head::If:
  case Head::ElseIf: conditional(module, node); return;
  case Head::For: eval_loop(module, node); return;
  case Head::While: run_top_level(module, node); return;
  case Head::Try: attempt(module, node); return;
  case Head::Let: {
    auto assigns = [](const Syntax *child) {
      return child->is(Head::Assign) && !is_function_definition(*child);
    };
    bool binds = !node.args[0]->args.empty() || !node.args[0]->is(Head::Block);
    if (binds && define_with_constants(module, node)) return;
    if (binds || std::ranges::any_of(node.args[1]->args, assigns))
      run_top_level(module, node);
    else
      statement(module, *node.args[1]);
    return;
  }
  case Head::Call:
    if (node.args.size() == 2 && node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "eval" &&
        node.args[1]->is(Head::Quote))
      eval(module, *node.args[1]->args[0], {});
    else if (node.args[0]->is(Head::Identifier) && node.args[0]->name.text() == "include" &&
             node.args.size() >= 2 && node.args.size() <= 4)
      include(module, node);
    else
      other_statement(module, node);
    return;
  case Head::Literal:
  case Head::Identifier:
  case Head::QuotedSymbol: return; // no effect
  default: other_statement(module, node);
  }
}

void Definer::module(Module &parent, const Syntax &node) {
  Module *inner = shared_->world.module(node.args[1]->name, &parent);
  if (program_ && node.args[2]->is(Head::Block))
    program_statements(*inner, *node.args[2]);
  else
    statement(*inner, *node.args[2]);
  if (shared_->packages.owner(*inner)) shared_->packages.made.push_back(inner);
}

// ---- globals

Result<void> Definer::assignment(Module &module, const Syntax &node, bool is_const) {
  const Syntax *lhs = node.args[0];
  const Syntax &rhs = *node.args[1];
  if (lhs->is(Head::TypeAssert)) lhs = lhs->args[0];
  if (lhs->is(Head::Identifier)) {
    if (rhs.is(Head::Assign) && !is_function_definition(rhs)) // a = b = 1
      KILN_CHECK(assignment(module, rhs, is_const));
    return set_global(module, *lhs, rhs.is(Head::Assign) ? *rhs.args[0] : rhs, is_const);
  }
  if (lhs->is(Head::Curly)) { // Vec{T} = Array{T, 1}
    TypeEvaluator evaluator(shared_, module);
    std::vector<const TypeVar *> vars;
    for (size_t i = 1; i < lhs->args.size(); ++i) {
      KILN_TRY(const TypeVar *var, evaluator.variable(*lhs->args[i]));
      evaluator.bind(var->name(), var);
      vars.push_back(var);
    }
    KILN_TRY(TypeRef type, evaluator.type(rhs));
    for (size_t i = vars.size(); i-- > 0;) type = shared_->types.union_all(vars[i], type);
    return shared_->world.set_constant(module, lhs->args[0]->name, Value::type_value(shared_->types, type),
                                       lhs->at);
  }
  if (lhs->is(Head::Tuple) && rhs.is(Head::Tuple) && lhs->args.size() == rhs.args.size()) {
    for (size_t i = 0; i < lhs->args.size(); ++i)
      if (lhs->args[i]->is(Head::Identifier))
        KILN_CHECK(set_global(module, *lhs->args[i], *rhs.args[i], is_const));
    return {};
  }
  if (lhs->is(Head::Tuple)) { // a, b = f(): each name gets an element of one value
    Symbol whole = shared_->symbol(fmt::format("#tuple at {}#", shared_->world.sources().describe(node.at)));
    Syntax *name = unit_->arena.identifier(whole, lhs->at);
    KILN_CHECK(set_global(module, *name, rhs, true));
    for (size_t i = 0; i < lhs->args.size(); ++i) {
      if (!lhs->args[i]->is(Head::Identifier)) continue;
      Syntax *index = unit_->arena.literal(shared_->types.int64(int64_t(i + 1)), lhs->at);
      Syntax *element = unit_->arena.make(Head::Ref, lhs->at, {name, index});
      KILN_CHECK(set_global(module, *lhs->args[i], *element, is_const));
    }
    return {};
  }
  other_statement(module, node); // an assignment to an element or field: a[i] = x, a.b = x
  return {};
}

// ---- conditions and macros

void Definer::conditional(Module &module, const Syntax &node) {
  const Syntax *at = &node;
  for (;;) {
    TypeEvaluator evaluator(shared_, module);
    auto condition = evaluator.value(*at->args[0]);
    if (!condition.ok() || condition->type() != shared_->types.builtins().Bool) {
      note_skipped(node, "its condition cannot be evaluated");
      return;
    }
    if (condition->low_bits() & 1) {
      statement(module, *at->args[1]);
      return;
    }
    if (at->args.size() < 3) return;
    at = at->args[2];
    if (!at->is(Head::If) && !at->is(Head::ElseIf)) {
      statement(module, *at);
      return;
    }
  }
}

/// Defines a method by CUDA.@device_override f(x) = ... Only kernels see the method, on every target.
void Definer::device_override(Module &module, const Syntax &node, const Syntax &definition,
                              MethodHints hints) {
  const Syntax *defined = &definition;
  while (defined->is(Head::Doc) || (defined->is(Head::MacroCall) && defined->args.size() > 1))
    defined = defined->args.back();
  if (!is_function_definition(*defined) || node.args.size() != 2) {
    faults_.push_back({ErrorCode::SyntaxError,
                       fmt::format("{} takes the definition of a method{}", macro_name(node).text(),
                                   &definition == &node ? "" : fmt::format(", not `{}`", brief(definition))),
                       shared_->locate(node.at),
                       {},
                       {},
                       "write @device_override f(x) = ..., for each method"});
    return;
  }
  const Symbol before = std::exchange(override_, shared_->symbol(override_overlay));
  if (definition.is(Head::MacroCall)) // @inline or similar
    macro_call(module, definition, hints);
  else
    top_function(module, *defined, hints);
  override_ = before;
}

bool is_transparent(std::string_view macro) {
  static constexpr std::string_view names[] = {
      "@inline", "@noinline",          "@propagate_inbounds", "@constprop", "@assume_effects",
      "@pure",   "@nospecializeinfer", "@generated",          "@inbounds",  "@fastmath",
      "@simd",   "@device_function",   "@device_functions",   "@doc",       "@nospecialize",
      "@__doc__"};
  return std::ranges::find(names, macro) != std::end(names);
}

void Definer::macro_call(Module &module, const Syntax &node, MethodHints hints) {
  Symbol name = macro_name(node);
  std::string_view text = name.text();
  const Syntax *last = node.args.size() > 1 ? node.args.back() : nullptr;
  if (auto macro = shared_->find_macro(macro_module(shared_, node, module), name)) {
    if (shared_->expansions.levels == 0) shared_->expansions.nodes = 0;
    auto expanded = expand_user_macro(shared_, unit_->arena, *macro, node, module);
    const ExpansionLevel level(*shared_);
    if (!expanded.ok())
      note_error(expanded.take_error(), node);
    else
      statement(module, **expanded);
    return;
  }
  if (std::string_view why = skipped_macro(text); !why.empty()) {
    note_skipped(node, why);
    return;
  }
  if (text == "@reexport" && last) {
    reexport(module, *last);
    return;
  }
  if (!last) {
    if (shared_->built_in_macro(module, name).text() == "@device_override")
      device_override(module, node, node, hints);
    else
      note_skipped(node);
    return;
  }
  text = shared_->built_in_macro(module, name).text();
  const bool is_definition = is_function_definition(*last) || last->is(Head::MacroCall);
  if (text == "@views" || (text == "@fastmath" && (is_definition || last->is(Head::Block)))) {
    within_macro(module, node, *last, hints);
    return;
  }
  if (is_transparent(text)) {
    hints.generated |= text == "@generated";
    hints.inline_ |= text == "@inline";
    hints.noinline |= text == "@noinline";
    hints.propagate_inbounds |= text == "@propagate_inbounds";
    hints.inline_ |= text == "@propagate_inbounds"; // as in Julia
    if (text == "@constprop" && node.args.size() == 3 && node.args[1]->is(Head::QuotedSymbol) &&
        node.args[1]->literal.as_symbol().text() == "aggressive")
      hints.aggressive_constprop = true;
    while (last->is(Head::Doc)) last = last->args.back();
    if (is_function_definition(*last))
      top_function(module, *last, hints);
    else if (last->is(Head::MacroCall))
      macro_call(module, *last, hints);
    else if (last->is(Head::Block) || last->is(Head::Struct) || text == "@__doc__")
      statement(module, *last);
    else
      note_skipped(node);
    return;
  }
  // Launches at the top level of a file do not run, so @device_code_llvm and the like show nothing.
  const bool shows_code = text.starts_with("@device_code") && Expander::is_built_in(text);
  if (text == "@static" || shows_code) {
    statement(module, *last);
  } else if (text == "@device_override") {
    device_override(module, node, *last, hints);
  } else if (text == "@eval") {
    if (node.args.size() == 3) { // @eval Module expression
      TypeEvaluator evaluator(shared_, module);
      auto other = evaluator.module(*node.args[1]);
      if (!other.ok())
        note_skipped(node, "its module is not known");
      else
        eval(**other, *last, {});
    } else {
      eval(module, *last, {});
    }
  } else if (text == "@kwdef" && last->is(Head::Struct)) {
    check(structure(module, *last, true), *last);
    // A macro call `@kernel` with a function definition is not a launch, unlike KI.@kernel backend f(x).
  } else if (text == "@kernel" && is_function_definition(*last)) {
    const Syntax *made = Expander(shared_, module, unit_->arena).kernel_definitions(node);
    if (made->is(Head::Error))
      note_error(shared_->error(ErrorCode::SyntaxError, *made->literal.as_string(), made->at), *made);
    else
      statement(module, *made);
  } else {
    note_skipped(node);
  }
}

} // namespace kiln::julia
