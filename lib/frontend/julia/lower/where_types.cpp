// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types with `where` in function bodies. A type that depends on local variables is only known at run time:
// the interpreter evaluates it as an expression that holds the variables' values.
#include "lowerer.h"

#include <algorithm>

namespace kiln::julia {

namespace {

/// Name of a variable that a `where` declares: X of `X`, `X<:B` and `X>:B`. Empty: another form.
Symbol declared_name(const Syntax &declaration) {
  const bool has_bound =
      (declaration.is(Head::Subtype) || declaration.is(Head::Supertype)) && declaration.args.size() == 2;
  const Syntax &name = has_bound ? *declaration.args[0] : declaration;
  return name.is(Head::Identifier) ? name.name : Symbol();
}

std::string_view expression_head(Head head) {
  switch (head) {
  case Head::Where: return "where";
  case Head::Curly: return "curly";
  case Head::Subtype: return "<:";
  case Head::Supertype: return ">:";
  default: return {};
  }
}

bool names_one_of(const Syntax &node, std::span<const Symbol> names) {
  if (node.is(Head::Identifier)) return std::ranges::count(names, node.name) > 0;
  return std::ranges::any_of(node.args, [&](const Syntax *child) { return names_one_of(*child, names); });
}

/// True if each part that names a variable of a `where` can be made into an expression.
bool is_expressible(const Syntax &node, std::vector<Symbol> &declared) {
  const size_t mark = declared.size();
  if (node.is(Head::Where))
    for (size_t i = 1; i < node.args.size(); ++i) {
      declared.push_back(declared_name(*node.args[i]));
      if (!declared.back()) return false;
    }
  const bool is_leaf = node.is(Head::Identifier) || (!node.is(Head::Where) && !names_one_of(node, declared));
  const bool fits =
      is_leaf ||
      (!expression_head(node.head).empty() &&
       std::ranges::all_of(node.args, [&](const Syntax *child) { return is_expressible(*child, declared); }));
  declared.resize(mark);
  return fits;
}

} // namespace

Operand Lowerer::constant_type(const Syntax &node) {
  auto type = known_type(node);
  if (type.ok()) return b_.constant(*type);
  const std::string what = fmt::format("the type `{}` in a function body ({})", brief(node),
                                       type.error().diagnostics().front().message);
  std::vector<Symbol> declared;
  if (!node.is(Head::Where) || !is_expressible(node, declared)) return missing(node, what);
  host_only(node, what);
  const Operand expression = type_expression(node, declared);
  b_.set_span(node.at);
  return b_.call(base("eval"), {b_.constant(Value::module(shared_.types, &module_of(node))), expression});
}

/// Emits the code that makes an Expr of a type. Parts that name no variable of `declared` are values in it.
Operand Lowerer::type_expression(const Syntax &node, std::vector<Symbol> &declared) {
  if (node.is(Head::Identifier) && std::ranges::count(declared, node.name)) return symbol(node.name);
  const size_t mark = declared.size();
  if (node.is(Head::Where))
    for (size_t i = 1; i < node.args.size(); ++i) declared.push_back(declared_name(*node.args[i]));
  else if (!names_one_of(node, declared))
    if (!node.is(Head::Subtype) && !node.is(Head::Supertype)) return value(node);
  std::vector<Operand> parts{symbol(shared_.symbol(expression_head(node.head)))};
  for (const Syntax *child : node.args) parts.push_back(type_expression(*child, declared));
  declared.resize(mark);
  b_.set_span(node.at);
  return b_.call(base("Expr"), parts);
}

} // namespace kiln::julia
