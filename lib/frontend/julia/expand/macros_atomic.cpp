// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands @atomic, @atomicswap and @atomicreplace. Those on array elements call functions in module CUDA,
// those on fields call Base's functions of properties, such as modifyproperty!.
#include "expander.h"

namespace kiln::julia {

namespace {

bool is_place(const Syntax &node) { return node.is(Head::Ref) || node.is(Head::Dot); }

} // namespace

Syntax *Expander::atomic(const Syntax &node, std::span<Syntax *const> args) {
  // Memory orderings stand in front. Only UnsafeAtomics supports them: ignore them.
  if (args.size() == 2 || args.size() == 4) args = args.subspan(1);
  // A[i] op= v and A[i] = op(A[i], v) become CUDA.atomic_arrayset(A, (i,), op, v).
  const Syntax *update = args.empty() ? nullptr : args.back();
  const Syntax *target = nullptr, *op = nullptr, *value = nullptr;
  if (update && update->is(Head::OpAssign)) {
    op = update->args[0];
    target = update->args[1];
    value = update->args[2];
  } else if (update && update->is(Head::Assign) && update->args[1]->is(Head::Call) &&
             update->args[1]->args.size() == 3 && update->args[0]->is(Head::Ref)) {
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
  if (!target || !is_place(*target))
    return error(node.at, "@atomic of something that is no update of an array element or field");
  if (target->is(Head::Dot)) // the new value
    return call(base("last", node.at), {on_field("modifyproperty!", *target, {expand(*op), expand(*value)})},
                node.at);
  const Syntax &path = *node.args[0];
  const bool is_atomix = path.args.size() == 2
                             ? path.args[0]->name.text() != "CUDA"
                             : shared_->built_in_macro(*module_, macro_name(node)).text() == "@Atomix.atomic";
  if (update->is(Head::OpAssign) && is_atomix) // Atomix returns the new value
    return on_element("atomic_new", *target, {expand(*value)}, expand(*op));
  std::vector<Syntax *> before;
  Syntax *array = atomic_array(*target, before);
  before.push_back(call(cuda("atomic_arrayset", node.at),
                        {array, atomic_indices(*target, *array), expand(*op), expand(*value)}, node.at));
  return before.size() == 1 ? before[0] : make(Head::Block, node.at, std::move(before));
}

/// Expands forms of @atomic that only Atomix and Base have. A[i] reads an element. A[i] = v stores v and
/// returns it. `A[i] op v` and op(A[i], v) update the element and return old => new. Null: another form.
Syntax *Expander::atomic_access(const Syntax &node, std::span<Syntax *const> args) {
  const Syntax *place = nullptr, *op = nullptr;
  std::vector<Syntax *> value;
  const char *of_element = "atomic_get", *of_field = "getproperty";
  if (args.size() == 1 && is_place(*args[0])) {
    place = args[0];
  } else if (args.size() == 1 && args[0]->is(Head::Assign) && is_place(*args[0]->args[0])) {
    of_element = "atomic_set", of_field = "setproperty!";
    place = args[0]->args[0];
    value = {expand(*args[0]->args[1])};
  } else if (args.size() == 1 && args[0]->is(Head::Call) && args[0]->args.size() == 3 &&
             is_place(*args[0]->args[1])) {
    place = args[0]->args[1];
    op = args[0]->args[0];
    value = {expand(*args[0]->args[2])};
  } else if (args.size() == 3 && is_place(*args[0])) {
    place = args[0];
    op = args[1];
    value = {expand(*args[2])};
  }
  if (!place) return nullptr;
  if (op) of_element = "atomic_pair", of_field = "modifyproperty!";
  if (place->is(Head::Ref))
    return on_element(of_element, *place, std::move(value), op ? expand(*op) : nullptr);
  if (op) value.insert(value.begin(), expand(*op));
  return on_field(of_field, *place, std::move(value));
}

/// Calls function(first, pointer to the element, rest...) of module CUDA. `first` may be null.
Syntax *Expander::on_element(std::string_view function, const Syntax &element, std::vector<Syntax *> rest,
                             Syntax *first) {
  std::vector<Syntax *> before;
  Syntax *array = atomic_array(element, before);
  rest.insert(rest.begin(), call(cuda("element_pointer", element.at),
                                 {array, atomic_indices(element, *array)}, element.at));
  if (first) rest.insert(rest.begin(), first);
  before.push_back(call(cuda(function, element.at), std::move(rest), element.at));
  return before.size() == 1 ? before[0] : make(Head::Block, element.at, std::move(before));
}

/// Calls function(object, :name, rest...) of Base for object.name.
Syntax *Expander::on_field(std::string_view function, const Syntax &field, std::vector<Syntax *> rest) {
  rest.insert(rest.begin(), expand(*field.args[1]));
  rest.insert(rest.begin(), expand(*field.args[0]));
  return call(base(function, field.at), std::move(rest), field.at);
}

static bool names_end(const Syntax &node) {
  if (node.is(Head::Identifier)) return node.name.text() == "end" || node.name.text() == "begin";
  return !node.is(Head::Quote) && !node.is(Head::Ref) &&
         std::ranges::any_of(node.args, [](const Syntax *child) { return names_end(*child); });
}

/// Returns the array of A[i]. If an index names `end` or `begin`, A gets a name, which `before` assigns.
Syntax *Expander::atomic_array(const Syntax &element, std::vector<Syntax *> &before) {
  Syntax *array = expand(*element.args[0]);
  if (std::ranges::none_of(std::span(element.args).subspan(1),
                           [](const Syntax *index) { return names_end(*index); }))
    return array;
  Syntax *name = identifier(fmt::format("#array at {}#", element.at.begin), 0, element.at);
  before.push_back(make(Head::Assign, element.at, {name, array}));
  return copy_tree(arena_, *name);
}

/// Makes the tuple of the indices of A[i, j], with `end` and `begin` as lastindex(A, k) and firstindex(A, k).
Syntax *Expander::atomic_indices(const Syntax &element, const Syntax &array) {
  Syntax *indices = make(Head::Tuple, element.at, {});
  const size_t count = element.args.size() - 1;
  for (size_t i = 1; i <= count; ++i) {
    Syntax *index = copy_tree(arena_, *element.args[i]);
    auto replace = [&](auto &&self, Syntax *&node) -> void {
      if (node->is(Head::Identifier) && names_end(*node)) {
        std::vector<Syntax *> of{copy_tree(arena_, array)};
        if (count > 1) of.push_back(integer(int64_t(i), node->at));
        node = call(base(node->name.text() == "end" ? "lastindex" : "firstindex", node->at), std::move(of),
                    node->at);
      } else if (names_end(*node)) {
        for (Syntax *&child : node->args) self(self, child);
      }
    };
    replace(replace, index);
    indices->args.push_back(expand(*index));
  }
  return indices;
}

/// Expands @atomicswap A[i] = new, which returns the old value, and @atomicreplace A[i] old => new, which
/// returns (old = found, success = ...).
Syntax *Expander::atomic_exchange(const Syntax &node, std::span<Syntax *const> args) {
  const bool swap = macro_name(node).text() == "@atomicswap";
  if (swap && !args.empty() && args.back()->is(Head::Assign) && is_place(*args.back()->args[0])) {
    const Syntax &place = *args.back()->args[0];
    Syntax *value = expand(*args.back()->args[1]);
    return place.is(Head::Ref) ? on_element("atomic_swap", place, {value})
                               : on_field("swapproperty!", place, {value});
  }
  if (!swap && args.size() >= 2 && is_place(*args[args.size() - 2])) {
    const Syntax &place = *args[args.size() - 2];
    Syntax *change = expand(*args.back());
    if (place.is(Head::Ref)) return on_element("atomic_replace_pair", place, {change});
    return on_field("replaceproperty!", place, {make(Head::Splat, node.at, {change})}); // old => new
  }
  return error(node.at, swap ? "@atomicswap of something that is no assignment to an array element or field"
                             : "@atomicreplace without an array element or field, and old => new");
}

} // namespace kiln::julia
