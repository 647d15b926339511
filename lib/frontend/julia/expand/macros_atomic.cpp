// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands @atomic, @atomicswap and @atomicreplace on array elements to calls of functions in module CUDA.
#include "expander.h"

namespace kiln::julia {

Syntax *Expander::atomic(const Syntax &node, std::span<Syntax *const> args) {
  // A[i] op= v and A[i] = op(A[i], v) become CUDA.atomic_arrayset(A, (i,), op, v).
  const Syntax *update = args.empty() ? nullptr : args.back();
  const Syntax *target = nullptr, *op = nullptr, *value = nullptr;
  if (update && update->is(Head::OpAssign)) {
    op = update->args[0];
    target = update->args[1];
    value = update->args[2];
  } else if (update && update->is(Head::Assign) && update->args[1]->is(Head::Call) &&
             update->args[1]->args.size() == 3) {
    op = update->args[1]->args[0];
    target = update->args[0];
    value = update->args[1]->args[2];
    if (to_sexpr(*target) != to_sexpr(*update->args[1]->args[1])) {
      if (const Syntax &path = *node.args[0]; path.args.size() == 2 && path.args[0]->name.text() == "CUDA")
        return error(node.at, "@atomic: the operation's first argument must be what is assigned");
      target = nullptr; // in Atomix this form stores the call's result
    }
  }
  if (!target)
    if (Syntax *other = atomic_access(node, args)) return other;
  if (!target || !target->is(Head::Ref))
    return error(node.at, "@atomic of something that is no array element update");
  const Syntax &path = *node.args[0];
  const bool is_atomix = path.args.size() == 2
                             ? path.args[0]->name.text() != "CUDA"
                             : shared_->built_in_macro(*module_, macro_name(node)).text() == "@Atomix.atomic";
  if (update->is(Head::OpAssign) && is_atomix) // Atomix returns the new value
    return call(cuda("atomic_new", node.at), {expand(*op), element_pointer(*target), expand(*value)},
                node.at);
  Syntax *indices = make(Head::Tuple, target->at, {});
  for (size_t i = 1; i < target->args.size(); ++i) indices->args.push_back(expand(*target->args[i]));
  return call(cuda("atomic_arrayset", node.at),
              {expand(*target->args[0]), indices, expand(*op), expand(*value)}, node.at);
}

/// Expands forms of @atomic that only Atomix has. A[i] reads an element. A[i] = v stores v and returns it.
/// `A[i] op v` and op(A[i], v) update the element and return old => new. Null: another form.
Syntax *Expander::atomic_access(const Syntax &node, std::span<Syntax *const> args) {
  // A memory ordering, which only UnsafeAtomics supports: ignore it.
  if (args.size() > 1 && args[0]->is(Head::QuotedSymbol)) args = args.subspan(1);
  auto element = [&](const Syntax *of) { return of->is(Head::Ref); };
  if (args.size() == 1 && element(args[0]))
    return call(cuda("atomic_get", node.at), {element_pointer(*args[0])}, node.at);
  if (args.size() == 1 && args[0]->is(Head::Assign) && element(args[0]->args[0]))
    return call(cuda("atomic_set", node.at), {element_pointer(*args[0]->args[0]), expand(*args[0]->args[1])},
                node.at);
  if (args.size() == 1 && args[0]->is(Head::Call) && args[0]->args.size() == 3 && element(args[0]->args[1]))
    return call(cuda("atomic_pair", node.at),
                {expand(*args[0]->args[0]), element_pointer(*args[0]->args[1]), expand(*args[0]->args[2])},
                node.at);
  if (args.size() == 3 && element(args[0]))
    return call(cuda("atomic_pair", node.at), {expand(*args[1]), element_pointer(*args[0]), expand(*args[2])},
                node.at);
  return nullptr;
}

Syntax *Expander::element_pointer(const Syntax &element) {
  Syntax *indices = make(Head::Tuple, element.at, {});
  for (size_t i = 1; i < element.args.size(); ++i) indices->args.push_back(expand(*element.args[i]));
  return call(cuda("element_pointer", element.at), {expand(*element.args[0]), indices}, element.at);
}

/// Expands @atomicswap A[i] = new, which returns the old value, and @atomicreplace A[i] old => new, which
/// returns (old = found, success = ...).
Syntax *Expander::atomic_exchange(const Syntax &node, std::span<Syntax *const> args) {
  bool swap = macro_name(node).text() == "@atomicswap";
  if (swap && !args.empty() && args.back()->is(Head::Assign) && args.back()->args[0]->is(Head::Ref))
    return call(cuda("atomic_swap", node.at),
                {element_pointer(*args.back()->args[0]), expand(*args.back()->args[1])}, node.at);
  if (!swap && args.size() >= 2 && args[args.size() - 2]->is(Head::Ref))
    return call(cuda("atomic_replace_pair", node.at),
                {element_pointer(*args[args.size() - 2]), expand(*args.back())}, node.at);
  return error(node.at, swap ? "@atomicswap of something that is no assignment to an array element"
                             : "@atomicreplace without an array element and old => new");
}

} // namespace kiln::julia
