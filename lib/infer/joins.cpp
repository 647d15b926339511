// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Applies a language's join rule, which gives the type of a variable where control flow merges
// (kiln/extension/language/join_rule.h).
//
// A phi's type is the rule's join of the incoming types. It may replace the type with which statements were
// inferred (Int64 by Float64). The results of these statements are then invalid, and the instance is inferred
// again from the start, with the phi at its new type. The number of such changes per phi is bounded. After
// all types are final, each incoming value of another type is converted at the end of its path, by a normal
// call with edges.
#include "inference.h"

#include <support/exceptions.h>

namespace kiln {

namespace {
constexpr uint32_t max_moves = 16; // changes per variable: more than any language's numeric tower needs
}

/// Returns the type that the join rule has given the phi so far.
Lattice Inference::moved_to(Frame &frame, uint32_t phi) {
  auto found = frame.moves.find(phi);
  return found == frame.moves.end() ? Lattice::bottom(types_) : Lattice::of_type(types_, found->second.type);
}

Lattice Inference::join_by_rule(Frame &frame, uint32_t phi, const Lattice &a, const Lattice &b) {
  const bool meet = a.type && !a.is_bottom() && !a.poison && b.type && !b.is_bottom() && !b.poison;
  if (!meet || a.type == b.type) return join(types_, a, b);
  TypeRef joined = apply_rule(frame, phi, a.type, b.type);
  return joined ? Lattice::of_type(types_, joined) : join(types_, a, b);
}

/// Calls the join rule for two types. Null: the rule gives a Union, or the frame has an error.
TypeRef Inference::apply_rule(Frame &frame, uint32_t phi, TypeRef a, TypeRef b) {
  const JoinRule &rule = *frame.code->code->hints.join;
  auto at = [&] { return world_.sources().locate(frame.code->ssa->stmts[phi].at); };
  if (!rule.join) return nullptr;
  try {
    auto meet = [&](TypeRef x, TypeRef y) {
      TypeRef joined = x == y ? x : rule.join(types_, x, y);
      return joined ? joined : types_.union_of({x, y});
    };
    TypeRef joined = rule.join(types_, a, b);
    std::vector<std::pair<TypeRef, TypeRef>> same{{b, a}};
    if (joined) {
      same.emplace_back(joined, a);
      same.emplace_back(joined, b);
    }
    const TypeRef expected = joined ? joined : types_.union_of({a, b});
    for (auto [x, y] : same) {
      TypeRef other = meet(x, y);
      if (other == expected) continue;
      frame.error = make_error(
          ErrorCode::TypeError,
          fmt::format("the join rule `{}` is no join: {} and {} give {}, but {} and {} give {}", rule.name,
                      spell(a), spell(b), spell(expected), spell(x), spell(y), spell(other)),
          at(),
          "it has to give the same in both orders, and its result has to stay when it meets either type");
      return nullptr;
    }
    return joined;
  } catch (...) {
    frame.error = error_of_current_exception(fmt::format("the join rule `{}` failed", rule.name), at());
  }
  return nullptr;
}

/// Requests a restart of the frame unless `value` includes the phi's old type.
void Inference::check_moved(Frame &frame, uint32_t phi, const Lattice &value) {
  const Lattice &old = frame.code->types[phi];
  if (frame.error || !old.type || old.is_bottom() || old.poison || !value.type || value.is_bottom() ||
      value.poison || is_subtype(types_, old.type, value.type))
    return;
  const Lattice next = join_by_rule(frame, phi, old, value);
  if (frame.error) return;
  Frame::Move &move = frame.moves[phi];
  move.type = next.type;
  frame.moved = true;
  if (++move.count <= max_moves) return;
  const Stmt &stmt = frame.code->ssa->stmts[phi];
  frame.error = make_error(
      ErrorCode::TypeError,
      fmt::format("in {}, the join rule `{}` finds no type for a variable: after {} steps it is {} and "
                  "becomes {}",
                  spell_call(frame.key.instance->arguments->as<DataType>()->params()),
                  frame.code->code->hints.join->name, max_moves, spell_short(old.type),
                  spell_short(next.type)),
      world_.sources().locate(stmt.at), "each of its steps must lead towards a type that stays");
}

/// Prepares a restart: discards instances of call cycles that were inferred with the old types.
void Inference::forget_run(Frame &frame) {
  const std::vector<const CodeInstance *> &before = *frame.known_before;
  for (auto it = provisional_.begin(); it != provisional_.end();)
    if (std::find(before.begin(), before.end(), it->second.first.get()) == before.end()) {
      discarded_.push_back(it->second.first);
      it = provisional_.erase(it);
    } else {
      ++it;
    }
  discarded_.push_back(frame.code);
}

/// Adds the calls that convert incoming values of phis. Called when all types are final.
void Inference::convert_joined(Frame &frame) {
  CodeInstance &code = *frame.code;
  const SsaCode &ssa = *code.ssa;
  const JoinRule &rule = *code.code->hints.join;
  auto constant = [&](Value value) {
    const size_t index = ssa.code->constants.size() + ssa.extra_constants.size() + code.own_constants.size();
    code.own_constants.push_back(std::move(value));
    return ArgRef{{Operand::Kind::Const, uint32_t(index)}, -1};
  };
  for (uint32_t index = 0; index < ssa.stmts.size(); index++) {
    const Stmt &phi = ssa.stmts[index];
    if (phi.op != Op::Phi || !code.reachable[ssa.block_of[index]] || !code.types[index].type) continue;
    const TypeRef to = code.types[index].type;
    for (const Operand &arg : phi.args) {
      if (arg.kind != Operand::Kind::Ssa || !(ssa.stmts[arg.index].flags & flags::Joined)) continue;
      const Lattice from = code.types[arg.index];
      if (!from.type || from.is_bottom() || from.poison || is_subtype(types_, from.type, to)) continue;
      CallInfo info;
      Lattice result = Lattice::poisoned(types_);
      if (!rule.convert) {
        fault(
            frame, info,
            InferenceFault{ErrorCode::TypeError,
                           fmt::format("the join rule `{}` makes {} of {}, and has no function that converts",
                                       rule.name, spell(to), spell(from.type)),
                           "name one in JoinRule::convert",
                           {}});
      } else {
        const Value type = Value::type_value(types_, to);
        Call call;
        call.at = ssa.stmts[arg.index].at;
        call.refs = {constant(rule.convert), constant(type), ArgRef{ssa.stmts[arg.index].args[0], -1}};
        call.values = {Lattice::of_constant(types_, rule.convert), Lattice::of_constant(types_, type), from};
        result = this->call(frame, std::move(call), info);
      }
      if (frame.error) return;
      if (!result.poison && !result.is_bottom() && !is_subtype(types_, result.type, to)) {
        const TypeRef wrong = result.type;
        info = {};
        result = fault(frame, info,
                       InferenceFault{ErrorCode::TypeError,
                                      fmt::format("the join rule `{}` converts a value of type {} to {} by "
                                                  "{}, which gives a value of type {}",
                                                  rule.name, spell(from.type), spell(to), spell(rule.convert),
                                                  spell(wrong)),
                                      {},
                                      {}});
      }
      code.types[arg.index] = std::move(result);
      code.calls[arg.index] = std::move(info);
    }
  }
}

} // namespace kiln
