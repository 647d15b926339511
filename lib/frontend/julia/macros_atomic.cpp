// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @atomic, @atomicswap and @atomicreplace on elements of arrays, as calls of module CUDA.
#include "macros.h"

namespace kiln::julia {

Syntax *Expander::atomic(const Syntax &node, std::span<Syntax *const> args) {
  // A[i] op= v, A[i] = op(A[i], v): CUDA.atomic_arrayset(A, (i,), op, v)
  const Syntax *update = args.empty() ? nullptr : args.back();
  const Syntax *target = nullptr, *op = nullptr, *value = nullptr;
  if (update && update->is(Head::OpAssign)) {
    op = update->args[0];
    target = update->args[1];
    value = update->args[2];
  } else if (update && update->is(Head::Assign) && update->args[1]->is(Head::Call) && update->args[1]->args.size() == 3) {
    op = update->args[1]->args[0];
    target = update->args[0];
    value = update->args[1]->args[2];
    if (to_sexpr(*target) != to_sexpr(*update->args[1]->args[1]))
      return error(node.at, "@atomic: the operation's first argument must be what is assigned");
  }
  if (!target || !target->is(Head::Ref))
    return error(node.at, "@atomic of something that is no array element update");
  Syntax *indices = make(Head::Tuple, target->at, {});
  for (size_t i = 1; i < target->args.size(); ++i)
    indices->args.push_back(expand(*target->args[i]));
  return call(cuda("atomic_arrayset", node.at),
              {expand(*target->args[0]), indices, expand(*op), expand(*value)}, node.at);
}

Syntax *Expander::element_pointer(const Syntax &element) {
  Syntax *indices = make(Head::Tuple, element.at, {});
  for (size_t i = 1; i < element.args.size(); ++i)
    indices->args.push_back(expand(*element.args[i]));
  return call(cuda("element_pointer", element.at), {expand(*element.args[0]), indices}, element.at);
}

/// @atomicswap A[i] = new: the old value. @atomicreplace A[i] old => new: (old = found, success = ...).
Syntax *Expander::atomic_exchange(const Syntax &node, std::span<Syntax *const> args) {
  bool swap = macro_name(node).text() == "@atomicswap";
  if (swap && !args.empty() && args.back()->is(Head::Assign) && args.back()->args[0]->is(Head::Ref))
    return call(cuda("atomic_swap", node.at), {element_pointer(*args.back()->args[0]), expand(*args.back()->args[1])}, node.at);
  if (!swap && args.size() >= 2 && args[args.size() - 2]->is(Head::Ref))
    return call(cuda("atomic_replace_pair", node.at), {element_pointer(*args[args.size() - 2]), expand(*args.back())}, node.at);
  return error(node.at, swap ? "@atomicswap of something that is no assignment to an array element" : "@atomicreplace without an array element and old => new");
}

} // namespace kiln::julia
