// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @assert and @static_assert.
#include "expander.h"

namespace kiln::julia {

Syntax *Expander::assertion(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty()) return error(node.at, fmt::format("{} without a condition", macro_name(node).text()));
  Syntax *message = nullptr;
  if (args.size() < 2) {
    message = literal(shared_->string(brief(*args[0], 200)), node.at);
  } else {
    const bool before = std::exchange(in_message_, true);
    message = expand(*args[1]);
    in_message_ = before;
    const bool is_text = args[1]->is(Head::StringInterpolation) ||
                         (args[1]->is(Head::Literal) && args[1]->literal.as_string());
    if (!is_text) message = call(base("message", node.at), {message}, node.at);
  }
  Syntax *thrown =
      call(core("throw", node.at), {call(base("AssertionError", node.at), {message}, node.at)}, node.at);
  return make(Head::If, node.at, {expand(*args[0]), literal(shared_->types.nothing(), node.at), thrown});
}

/// Expands @static_assert condition "message": an error at compile time, unless the condition is known to be
/// true.
Syntax *Expander::static_assertion(const Syntax &node, std::span<Syntax *const> args) {
  if (args.empty() || args.size() > 2)
    return error(node.at, "@static_assert takes a condition and a message");
  std::vector<Syntax *> parts;
  if (args.size() == 2 && args[1]->is(Head::StringInterpolation))
    for (const Syntax *part : args[1]->args) parts.push_back(expand(*part));
  else if (args.size() == 2)
    parts.push_back(expand(*args[1]));
  else
    parts.push_back(literal(shared_->string(brief(*args[0], 200)), node.at));
  Syntax *failed =
      call(literal(shared_->intrinsic(Intrinsic::static_assertion), node.at), std::move(parts), node.at);
  return make(Head::If, node.at, {expand(*args[0]), literal(shared_->types.nothing(), node.at), failed});
}

} // namespace kiln::julia
