// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies macros of the user. A macro that only returns a quote of its parameters is used as a template. All
// others run in the interpreter, on Expr values.
#include "expander.h"
#include "quote.h"
#include "type_expr.h"

#include <limits>

namespace kiln::julia {

namespace {

/// The quote that a template macro returns. `escaped`: the macro returns esc(quote).
struct Template {
  const Syntax *quoted = nullptr;
  bool escaped = false;
};

Template template_of(const Syntax &body) {
  const Syntax *value = &body;
  while (value->is(Head::Block) && value->args.size() == 1) value = value->args[0];
  if (value->is(Head::Return) && value->args.size() == 1) value = value->args[0];
  Template result;
  if (value->is(Head::Call) && value->args.size() == 2 && value->args[0]->is(Head::Identifier) &&
      value->args[0]->name.text() == "esc") {
    result.escaped = true;
    value = value->args[1];
  }
  if (value->is(Head::Quote) && value->args.size() == 1)
    result.quoted = value->args[0];
  else
    result.escaped = false;
  return result;
}

/// Scope of the text that a macro call stands in: 0 for the user's own text.
uint32_t scope_of_call(const Syntax &callee) {
  if (callee.is(Head::MacroName) && callee.args.empty()) return callee.scope < CoreScope ? callee.scope : 0;
  return callee.args.empty() ? 0 : scope_of_call(*callee.args[0]);
}

/// Sets the scope of identifiers in a macro's result. Those inside of esc(...) belong to the caller, all
/// others to the macro's expansion.
Syntax *resolve_escapes(const Shared &shared, SyntaxArena &arena, const Syntax &node, uint32_t scope) {
  if (node.is(Head::Call) && node.args.size() == 2 && node.args[0]->is(Head::Identifier) &&
      node.args[0]->name.text() == "#escape")
    return resolve_escapes(shared, arena, *node.args[1], shared.caller_of(scope));
  Syntax *copy = copy_node(arena, node);
  if ((node.is(Head::Identifier) || node.is(Head::MacroName)) && node.scope == 0) copy->scope = scope;
  for (const Syntax *child : node.args) copy->args.push_back(resolve_escapes(shared, arena, *child, scope));
  return copy;
}

uint64_t count_nodes(const Syntax &node) {
  uint64_t count = 1;
  for (const Syntax *child : node.args) count += count_nodes(*child);
  return count;
}

Error too_large(Shared &shared, const Syntax &call) {
  return shared.error(
      ErrorCode::Input,
      fmt::format("macro {} expands to more than {} nodes of syntax, those of macros inside it "
                  "included",
                  macro_name(call).text(), Shared::max_expansion_nodes),
      call.at, "let the macro make a loop, or call a function");
}

} // namespace

/// Minimum and maximum number of arguments that a macro takes.
struct Arity {
  size_t min_args = 0, max_args = 0;
  bool takes(size_t count) const { return min_args <= count && count <= max_args; }
  std::string text() const {
    if (max_args == std::numeric_limits<size_t>::max()) return fmt::format("at least {}", min_args);
    return min_args == max_args ? std::to_string(min_args) : fmt::format("{} to {}", min_args, max_args);
  }
};

static Arity arity_of(const SignatureSyntax &signature) {
  Arity arity;
  for (const Parameter &parameter : signature.positional) {
    if (parameter.vararg) return {arity.min_args, std::numeric_limits<size_t>::max()};
    if (!parameter.default_value) ++arity.min_args;
    ++arity.max_args;
  }
  return arity;
}

/// Copies the expression of a default value, in which earlier parameters are replaced by their values.
static Syntax *with_arguments(Shared &shared, SyntaxArena &arena, const Syntax &node,
                              std::span<const Parameter> parameters, std::span<const Value> values) {
  if (node.is(Head::Identifier))
    for (size_t i = 0; i < values.size(); ++i)
      if (parameters[i].name == node.name) {
        Syntax *literal = arena.literal(values[i], node.at);
        if (values[i].as_symbol()) literal->head = Head::QuotedSymbol;
        return literal;
      }
  Syntax *copy = copy_node(arena, node);
  for (const Syntax *child : node.args)
    copy->args.push_back(with_arguments(shared, arena, *child, parameters, values));
  return copy;
}

/// Returns the types of a macro's parameters for `given` arguments. A type that cannot be evaluated counts as
/// Any.
static std::vector<TypeRef> parameter_types(const std::shared_ptr<Shared> &shared,
                                            const MacroDefinition &macro, const SignatureSyntax &signature,
                                            size_t given) {
  std::vector<TypeRef> types(given, shared->types.builtins().Any);
  TypeEvaluator evaluator(shared, *macro.module);
  for (size_t i = 0; i < given && !signature.positional.empty(); ++i) {
    const Parameter &parameter = signature.positional[std::min(i, signature.positional.size() - 1)];
    if (!parameter.type) continue;
    if (auto type = evaluator.type(*parameter.type); type.ok()) types[i] = *type;
  }
  return types;
}

/// Chooses among macros of one name the one whose parameter types fit the arguments best. If none fits,
/// returns the first, whose call reports why.
static Result<MacroDefinition *> closest_macro(const std::shared_ptr<Shared> &shared, MacroDefinition &first,
                                               std::span<const Value> arguments) {
  MacroDefinition *chosen = nullptr;
  std::vector<TypeRef> chosen_types;
  bool chosen_takes_more = false;
  for (MacroDefinition *at = &first; at; at = at->other.get()) {
    KILN_TRY(SignatureSyntax signature, shared->signature(*at->node->args[0]));
    if (!arity_of(signature).takes(arguments.size())) continue;
    const std::vector<TypeRef> types = parameter_types(shared, *at, signature, arguments.size());
    bool fits = true, is_closer = true; // is_closer: fits better than the macro chosen so far
    for (size_t i = 0; i < arguments.size(); ++i) {
      fits = fits && is_subtype(shared->types, shared->types.type_of(arguments[i]), types[i]);
      is_closer = is_closer && (!chosen || is_subtype(shared->types, types[i], chosen_types[i]));
    }
    // If two macros have equal types, the one without a vararg parameter is chosen.
    const bool takes_more = !signature.positional.empty() && signature.positional.back().vararg;
    if (!fits || !is_closer || (chosen && types == chosen_types && (takes_more || !chosen_takes_more)))
      continue;
    chosen = at;
    chosen_takes_more = takes_more;
    chosen_types = types;
  }
  return chosen ? chosen : &first;
}

static Result<Syntax *> apply_macro(const std::shared_ptr<Shared> &shared, SyntaxArena &arena,
                                    MacroDefinition &first, const Syntax &call, const Module &caller) {
  const size_t given = call.args.size() - 1;
  const uint32_t call_scope = scope_of_call(*call.args[0]);
  std::vector<Value> arguments; // made when needed: a template substitutes syntax
  auto make_arguments = [&] {
    if (!arguments.empty()) return;
    for (size_t i = 0; i < given; ++i)
      arguments.push_back(syntax_to_value(*shared, *call.args[i + 1], call_scope));
  };
  MacroDefinition *chosen = &first;
  if (first.other) {
    make_arguments();
    KILN_TRY(chosen, closest_macro(shared, first, arguments));
  }
  MacroDefinition &macro = *chosen;
  KILN_TRY(SignatureSyntax signature, shared->signature(*macro.node->args[0]));
  if (Arity arity = arity_of(signature); !arity.takes(given))
    return shared->error(ErrorCode::MethodError,
                         fmt::format("takes {} arguments, got {}", arity.text(), given), call.at);
  uint32_t scope = shared->new_expansion(*macro.module, call_scope);
  Template simple = template_of(*macro.node->args[1]);
  bool vararg = !signature.positional.empty() && signature.positional.back().vararg;
  const bool is_nested = simple.escaped && call_scope != 0; // the quote and its arguments have other scopes
  if (simple.quoted && !is_nested && !vararg && given == signature.positional.size()) {
    Substitution names;
    for (size_t i = 0; i < given; ++i)
      names[std::string(signature.positional[i].name.text())] = call.args[i + 1];
    auto result = substitute(*shared, arena, *simple.quoted, names, simple.escaped ? 0 : scope);
    if (result.ok()) return result;
  }
  KILN_CHECK(shared->define_macro(macro));
  std::vector<Value> args{line_node(*shared, call.at), Value::module(shared->types, &caller)};
  make_arguments();
  args.insert(args.end(), arguments.begin(), arguments.end());
  for (size_t i = given; i < signature.positional.size() && !signature.positional[i].vararg; ++i) {
    // A default value may use the parameters before it.
    Syntax *value = with_arguments(*shared, arena, *signature.positional[i].default_value,
                                   signature.positional, std::span(args).subspan(2));
    KILN_TRY(Value made, shared->interpret(*macro.module, *value));
    args.push_back(std::move(made));
  }
  KILN_TRY(Value value, shared->interpreter.call(macro.function, args));
  KILN_TRY(Syntax * expanded, value_to_syntax(*shared, arena, value, call.at, Shared::max_expansion_nodes));
  return resolve_escapes(*shared, arena, *expanded, scope);
}

Result<Syntax *> expand_user_macro(const std::shared_ptr<Shared> &shared, SyntaxArena &arena,
                                   MacroDefinition &macro, const Syntax &call, const Module &caller) {
  Shared::Expansions &all = shared->expansions;
  if (all.levels > Shared::max_expansion_levels)
    return shared->error(ErrorCode::Input,
                         fmt::format("macro {} expands without end: more than {} macros inside each other",
                                     macro_name(call).text(), Shared::max_expansion_levels),
                         call.at);
  if (all.nodes > Shared::max_expansion_nodes) return too_large(*shared, call);
  KILN_TRY(Syntax * expanded, apply_macro(shared, arena, macro, call, caller));
  all.nodes += count_nodes(*expanded);
  if (all.nodes > Shared::max_expansion_nodes) return too_large(*shared, call);
  return expanded;
}

} // namespace kiln::julia
