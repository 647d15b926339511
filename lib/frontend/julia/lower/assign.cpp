// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers all forms of assignment, and indexing for reads and writes.
#include "lowerer.h"

namespace kiln::julia {

Operand Lowerer::set_variable(const Syntax &name, Operand value) {
  Variable *variable = body_.scopes->variable(name);
  if (!variable) {
    set_global(name, module_of(name), name.name, value);
    return value;
  }
  if (variable->owner != &function_)
    host_only(name, fmt::format("assignment to `{}`, a variable of an enclosing function: compiled closures "
                                "hold values. Return the new value, or keep it in an array",
                                name.name.text()));
  if (variable->declared_type) {
    Operand type = fixed(this->value(*variable->declared_type));
    b_.set_span(name.at);
    value = b_.call(base("convert"), {type, value});
    value = b_.call(intrinsic(Intrinsic::typeassert), {value, type});
  }
  b_.set_span(name.at);
  b_.set_slot(slot_of(*variable), value);
  return value;
}

Operand Lowerer::assign(const Syntax &node) {
  const Syntax &lhs = *node.args[0], &rhs = *node.args[1];
  if (lhs.is(Head::Tuple) && rhs.is(Head::Tuple) && lhs.args.size() == rhs.args.size()) {
    bool simple = true;
    for (const Syntax *element : lhs.args)
      simple &= !element->is(Head::Splat) && !element->is(Head::Parameters);
    for (const Syntax *element : rhs.args)
      simple &= !element->is(Head::Splat) && !element->is(Head::Parameters);
    if (simple) { // a, b = b, a: assign without making a tuple
      std::vector<Operand> values;
      for (const Syntax *element : rhs.args) values.push_back(read_now(value(*element)));
      for (size_t i = 0; i < values.size(); ++i) assign_to(*lhs.args[i], values[i]);
      b_.set_span(node.at);
      return b_.terminated() ? nothing() : b_.call(intrinsic(Intrinsic::tuple), values);
    }
  }
  Operand result = value(rhs);
  if (!lhs.is(Head::Identifier)) result = fixed(result);
  assign_to(lhs, result);
  return result;
}

void Lowerer::assign_to(const Syntax &lhs, Operand value) {
  b_.set_span(lhs.at);
  switch (lhs.head) {
  case Head::Identifier: set_variable(lhs, value); return;
  case Head::TypeAssert:
    if (lhs.args.size() == 2 && lhs.args[0]->is(Head::Identifier)) {
      if (!body_.scopes->variable(*lhs.args[0])) { // x::T = v for a global x
        Operand type = this->value(*lhs.args[1]);
        b_.set_span(lhs.at);
        value = b_.call(base("convert"), {type, value});
      }
      set_variable(*lhs.args[0], value);
      return;
    }
    break;
  case Head::Tuple: destructure(lhs, value); return;
  case Head::Ref: {
    Operand array = this->value(*lhs.args[0]);
    b_.set_span(lhs.at);
    index_call("setindex!", array, {value}, lhs);
    return;
  }
  case Head::Dot: {
    const Syntax &field = *lhs.args[1];
    if (const Module *module = module_path(*lhs.args[0])) {
      set_global(lhs, *module, field.literal.as_symbol(), value);
      return;
    }
    Operand object = this->value(*lhs.args[0]);
    Operand name = this->value(field);
    b_.set_span(lhs.at);
    b_.call(base("setproperty!"), {object, name, value});
    return;
  }
  default: break;
  }
  missing(lhs, fmt::format("assignment to `{}`", brief(lhs)));
}

void Lowerer::destructure(const Syntax &lhs, Operand value) {
  Span at = lhs.at;
  if (lhs.args.size() == 1 && lhs.args[0]->is(Head::Parameters)) { // (; a, b) = x
    for (const Syntax *name : lhs.args[0]->args) {
      const Syntax &target = name->is(Head::TypeAssert) ? *name->args[0] : *name;
      if (!target.is(Head::Identifier)) {
        missing(*name, "this form of property destructuring");
        return;
      }
      b_.set_span(name->at);
      assign_to(*name, b_.call(base("getproperty"), {value, symbol(target.name)}));
    }
    return;
  }
  Operand state;
  for (size_t i = 0; i < lhs.args.size(); ++i) {
    const Syntax &target = *lhs.args[i];
    b_.set_span(at);
    if (target.is(Head::Splat)) {
      // Pass the number of elements taken so far as a constant, so that the type of a tuple's rest is known.
      std::vector<Operand> args{value};
      if (state) {
        args.push_back(state);
        args.push_back(integer(int64_t(i)));
      }
      Operand rest = b_.call(base(state ? "rest_behind" : "rest"), std::move(args));
      size_t behind = lhs.args.size() - i - 1;
      if (behind == 0) {
        assign_to(*target.args[0], rest);
        return;
      }
      // For a, b..., c = x, split the rest in two. The second part has one element for each target after the
      // slurp.
      Operand parts = b_.call(base("split_rest"), {rest, integer(int64_t(behind))});
      assign_to(*target.args[0], b_.call(intrinsic(Intrinsic::getfield), {parts, integer(1)}));
      b_.set_span(at);
      Operand tail = b_.call(intrinsic(Intrinsic::getfield), {parts, integer(2)});
      for (size_t j = 0; j < behind; ++j) {
        const Syntax &next = *lhs.args[i + 1 + j];
        if (next.is(Head::Splat)) {
          missing(next, "a second slurp `a...` on the left of one assignment");
          return;
        }
        b_.set_span(at);
        assign_to(next, b_.call(intrinsic(Intrinsic::getfield), {tail, integer(int64_t(j + 1))}));
      }
      return;
    }
    std::vector<Operand> args{value, integer(int64_t(i + 1))};
    if (state) args.push_back(state);
    Operand step = b_.call(base("indexed_iterate"), std::move(args));
    Operand element = b_.call(intrinsic(Intrinsic::getfield), {step, integer(1)});
    if (i + 1 < lhs.args.size()) state = b_.call(intrinsic(Intrinsic::getfield), {step, integer(2)});
    assign_to(target, element);
  }
}

Operand Lowerer::op_assign(const Syntax &node) {
  const Syntax &lhs = *node.args[1], &rhs = *node.args[2];
  Operand op = value(*node.args[0]);
  auto updated = [&](Operand old) {
    if (has_effects(rhs)) old = read_now(old);
    Operand operand = value(rhs);
    b_.set_span(node.at);
    return b_.call(op, {old, operand});
  };
  if (lhs.is(Head::Ref)) { // evaluates indices once
    Operand array = fixed(value(*lhs.args[0]));
    std::vector<bool> is_splat;
    std::vector<Operand> index = indices(lhs, array, is_splat);
    b_.set_span(lhs.at);
    for (Operand &operand : index) operand = fixed(operand);
    Operand result = updated(call_at("getindex", {array}, index, is_splat));
    b_.set_span(node.at);
    call_at("setindex!", {array, result}, index, is_splat);
    return result;
  }
  if (lhs.is(Head::Dot)) {
    Operand object = fixed(value(*lhs.args[0]));
    Operand name = value(*lhs.args[1]);
    b_.set_span(lhs.at);
    Operand result = updated(b_.call(base("getproperty"), {object, name}));
    b_.set_span(node.at);
    b_.call(base("setproperty!"), {object, name, result});
    return result;
  }
  if (lhs.is(Head::TypeAssert) && lhs.args.size() == 2 && lhs.args[0]->is(Head::Identifier)) {
    Operand result = updated(value(*lhs.args[0]));
    set_variable(*lhs.args[0], result);
    return result;
  }
  return missing(node, fmt::format("update of `{}`", brief(lhs)));
}

// ---- indexing

Operand Lowerer::end_of(const Indexing &at, bool begin) {
  const char *function = begin ? "firstindex" : "lastindex";
  if (at.after_splat)
    return b_.call(intrinsic(Intrinsic::compile_error),
                   {b_.constant(shared_.string("`end` after a splatted index"))});
  if (at.count == 1) return b_.call(base(function), {at.array});
  return b_.call(base(function), {at.array, integer(int64_t(at.position))});
}

std::vector<Operand> Lowerer::indices(const Syntax &ref, Operand array, std::vector<bool> &is_splat) {
  std::vector<Operand> operands;
  bool splat = false;
  LastEffect last(ref.args);
  for (size_t i = 1; i < ref.args.size(); ++i) {
    const Syntax *index = ref.args[i];
    bool splatted = index->is(Head::Splat);
    indexing_.push_back({array, i, ref.args.size() - 1, splat});
    Operand operand = value(splatted ? *index->args[0] : *index);
    indexing_.pop_back();
    if (last.is_after(i)) operand = read_now(operand);
    operands.push_back(operand);
    is_splat.push_back(splatted);
    splat |= splatted;
  }
  return operands;
}

/// Base.function(array, first..., indices...)
Operand Lowerer::index_call(std::string_view function, Operand array, std::vector<Operand> first,
                            const Syntax &ref) {
  Span at = ref.at;
  std::vector<bool> is_splat;
  std::vector<Operand> index = indices(ref, array, is_splat);
  b_.set_span(at);
  first.insert(first.begin(), array);
  return call_at(function, std::move(first), index, is_splat);
}

/// Calls Base.function(args..., indices...). `is_splat`: by index, true if it is splatted.
Operand Lowerer::call_at(std::string_view function, std::vector<Operand> args,
                         const std::vector<Operand> &index, const std::vector<bool> &is_splat) {
  if (std::find(is_splat.begin(), is_splat.end(), true) == is_splat.end()) {
    args.insert(args.end(), index.begin(), index.end());
    return b_.call(base(function), std::move(args));
  }
  std::vector<Operand> containers{base("iterate"), base(function)}, group = std::move(args);
  for (size_t i = 0; i < index.size(); ++i) {
    if (!is_splat[i]) {
      group.push_back(index[i]);
      continue;
    }
    if (!group.empty()) containers.push_back(b_.call(intrinsic(Intrinsic::tuple), std::move(group)));
    group.clear();
    containers.push_back(splatted(index[i]));
  }
  if (!group.empty()) containers.push_back(b_.call(intrinsic(Intrinsic::tuple), std::move(group)));
  return b_.call(intrinsic(Intrinsic::_apply_iterate), std::move(containers));
}

} // namespace kiln::julia
