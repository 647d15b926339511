// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global variables and constants: x = value, const x = value.
#include "define.h"

namespace kiln::julia {

static bool may_be_constant(const Syntax &node) {
  switch (node.head) {
  case Head::Literal:
  case Head::QuotedSymbol:
  case Head::Identifier:
  case Head::Curly:
  case Head::Where: return true;
  case Head::Dot: return may_be_constant(*node.args[0]);
  case Head::Tuple:
    for (const Syntax *element : node.args)
      if (!may_be_constant(*element)) return false;
    return true;
  case Head::Call: { // -1, 2 * N, typeof(x), Val(3): evaluated on syntax, without running code
    if (!node.args[0]->is(Head::Identifier)) return false;
    std::string_view name = node.args[0]->name.text();
    if (name != "-" && name != "+" && name != "*" && name != "typeof" && name != "Val" && name != "Symbol")
      return false;
    for (size_t i = 1; i < node.args.size(); ++i)
      if (!may_be_constant(*node.args[i])) return false;
    return true;
  }
  default: return false;
  }
}

/// Returns true for `__machine(:name)`, a property of the machine (runtime/library/program/version.jl).
static bool asks_machine(const Syntax &value) {
  return value.is(Head::Call) && value.args[0]->is(Head::Identifier) &&
         value.args[0]->name.text() == "__machine";
}

Symbol named_macro(const Syntax &value) {
  const Syntax &last = value.is(Head::Dot) ? *value.args[1] : value;
  const Symbol name = last.is(Head::Identifier)     ? last.name
                      : last.is(Head::QuotedSymbol) ? last.literal.as_symbol()
                                                    : Symbol();
  return name.text().starts_with('@') ? name : Symbol();
}

Result<void> Definer::set_global(Module &module, const Syntax &name, const Syntax &value, bool is_const) {
  if (const Symbol macro = named_macro(value);
      macro && Expander::is_built_in(macro.text()) && !shared_->find_macro(module, macro)) {
    shared_->alias_macro(module, name.name, macro); // const var"@m" = Base.var"@inline"
    return {};
  }
  if (may_be_constant(value)) {
    TypeEvaluator evaluator(shared_, module);
    evaluator.set_quick(true);
    if (auto now = evaluator.value(value); now.ok()) {
      if (is_const || now->as_type()) return shared_->world.set_constant(module, name.name, *now, name.at);
      return shared_->world.set_deferred(module, name.name, false,
                                         [v = *now]() -> Result<Value> { return v; });
    }
  }
  auto evaluate = [shared = shared_, unit = unit_, &module, &value] {
    return shared->interpret(module, value);
  };
  if (is_const && asks_machine(value))
    return compiler_world(shared_->world).set_machine_value(module, name.name, std::move(evaluate));
  return shared_->world.set_deferred(module, name.name, is_const, std::move(evaluate));
}

} // namespace kiln::julia
