// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks closures over reassigned variables. Compiled closures capture values, not variables. That is correct
// for a reassigned variable only if nothing can call the closure after the assignment. Types show which
// values may hold a closure: a closure's type is part of the type of every tuple, struct and generator that
// contains it.
#include "inference.h"

#include <algorithm>
#include <map>

namespace kiln {

InferenceFault capture_fault(Symbol variable, std::string_view what) {
  return {ErrorCode::Unsupported,
          fmt::format("a closure over `{}`, which {}", variable.text(), what),
          "compiled closures hold values: pass the variable as an argument, or keep it in an array",
          {}};
}

namespace {

class CaptureCheck {
public:
  CaptureCheck(TypeContext &types, const CodeInstance &code)
      : types_(types), code_(code), ssa_(*code.ssa), end_(ssa_.stmts.size()) {}

  struct Finding {
    uint32_t slot = 0;
    uint32_t assignment = 0;
    std::vector<uint32_t> closures;
  };

  std::vector<Finding> run() {
    // Map from a slot to the statements that make closures which capture the slot's variable.
    std::map<uint32_t, std::vector<uint32_t>> closures_of;
    for (uint32_t i = 0; i < ssa_.stmts.size(); ++i) {
      if (ssa_.stmts[i].op != Op::NewClosure || !is_reached(i)) continue;
      for (Operand arg : ssa_.stmts[i].args)
        if (arg.kind == Operand::Kind::Ssa && ssa_.stmts[arg.index].op == Op::Cell)
          closures_of[ssa_.stmts[arg.index].slot].push_back(i);
    }
    std::vector<Finding> findings;
    for (auto &[slot, closures] : closures_of) {
      const std::vector<bool> later = assignments_after(slot, closures);
      if (std::ranges::find(later, true) == later.end()) continue;
      if (auto stale = used_after(slot, later)) findings.push_back({slot, *stale, std::move(closures)});
    }
    return findings;
  }

private:
  bool is_reached(uint32_t i) const { return code_.reachable[ssa_.block_of[i]] && code_.types[i].type; }
  bool is(uint32_t i, Op op, uint32_t slot) const {
    return ssa_.stmts[i].op == op && ssa_.stmts[i].slot == slot;
  }

  /// Marks the assignments to `slot` that control flow can reach from the closures before a new variable
  /// replaces it (Op::Fresh).
  std::vector<bool> assignments_after(uint32_t slot, const std::vector<uint32_t> &closures) const {
    std::vector<bool> found(end_, false), seen(end_, false);
    std::vector<uint32_t> work;
    for (uint32_t closure : closures) work.push_back(closure + 1);
    while (!work.empty()) {
      uint32_t at = work.back();
      work.pop_back();
      for (; at < end_ && !seen[at] && is_reached(at); ++at) {
        seen[at] = true;
        if (is(at, Op::Fresh, slot)) break;
        if (is(at, Op::SetSlot, slot)) found[at] = true;
        const uint32_t block = ssa_.block_of[at];
        if (at + 1 != ssa_.blocks[block].end) continue;
        for (size_t k = 0; k < ssa_.blocks[block].succs.size(); ++k)
          if (code_.edge_taken[block] & (1u << k))
            work.push_back(ssa_.blocks[ssa_.blocks[block].succs[k]].begin);
        break;
      }
    }
    return found;
  }

  /// Returns an assignment after which the code still uses a value that may hold a closure over `slot`. None:
  /// no such assignment.
  std::optional<uint32_t> used_after(uint32_t slot, const std::vector<bool> &assignments) {
    name_ = code_.code->slot_names[slot].text();
    known_.clear();
    for (uint32_t value = 0; value < end_; ++value) {
      if (!is_reached(value) || code_.types[value].poison || !may_hold(code_.types[value].type)) continue;
      if (auto found = live_at(value, assignments)) return found;
    }
    return std::nullopt;
  }

  /// Returns an assignment at which `value` is live. Walks backwards from the uses of `value` to its
  /// definition.
  std::optional<uint32_t> live_at(uint32_t value, const std::vector<bool> &assignments) const {
    std::vector<bool> seen(end_, false);
    std::vector<uint32_t> work; // positions where the value is live: statements, or ends of blocks
    auto add_preds = [&](const SsaBlock &block) {
      for (uint32_t pred : block.preds)
        if (code_.reachable[pred]) work.push_back(ssa_.blocks[pred].end);
    };
    for (uint32_t user = 0; user < end_; ++user) {
      const Stmt &stmt = ssa_.stmts[user];
      if (!is_reached(user)) continue;
      for (size_t k = 0; k < stmt.args.size(); ++k) {
        if (stmt.args[k] != Operand::ssa(value)) continue;
        if (stmt.op == Op::Phi)
          work.push_back(ssa_.blocks[stmt.phi_blocks[k]].end);
        else if (const SsaBlock &block = ssa_.blocks[ssa_.block_of[user]]; user == block.begin)
          add_preds(block);
        else
          work.push_back(user);
      }
    }
    while (!work.empty()) {
      uint32_t before = work.back();
      work.pop_back();
      while (true) {
        const uint32_t at = before - 1;
        if (at == value || seen[at]) break;
        seen[at] = true;
        if (assignments[at]) return at;
        const SsaBlock &here = ssa_.blocks[ssa_.block_of[at]];
        if (at != here.begin) {
          before = at;
          continue;
        }
        add_preds(here);
        break;
      }
    }
    return std::nullopt;
  }

  bool may_hold(TypeRef type) {
    if (!type) return false;
    if (auto found = known_.find(type); found != known_.end()) return found->second;
    bool holds = false;
    if (const auto *either = type->as<UnionType>())
      holds = std::ranges::any_of(either->members(), [&](TypeRef each) { return may_hold(each); });
    else if (const auto *all = type->as<UnionAllType>())
      holds = may_hold(all->body());
    else if (const auto *rest = type->as<VarargType>())
      holds = may_hold(rest->element());
    else if (const auto *data = type->as<DataType>())
      holds = type == types_.builtins().Any || type == types_.builtins().Function || captures(*data) ||
              std::ranges::any_of(data->params(), [&](TypeRef each) { return may_hold(each); });
    return known_[type] = holds;
  }

  /// True for the type of any closure that captures a variable of this name. A closure made elsewhere counts
  /// too.
  bool captures(const DataType &type) const {
    return type.name().super == types_.builtins().Function &&
           std::ranges::any_of(type.name().field_names, [&](Symbol field) {
             return field.text().substr(0, field.text().find('#')) == name_ || field.text() == name_;
           });
  }

  TypeContext &types_;
  const CodeInstance &code_;
  const SsaCode &ssa_;
  const size_t end_;
  std::string_view name_;
  std::unordered_map<TypeRef, bool> known_;
};

} // namespace

void Inference::check_captures(Frame &frame) {
  CodeInstance &code = *frame.code;
  for (const CaptureCheck::Finding &found : CaptureCheck(types_, code).run()) {
    const std::string place = world_.sources().describe(code.ssa->stmts[found.assignment].at);
    for (uint32_t closure : found.closures) {
      code.types[closure] =
          fault(frame, code.calls[closure],
                capture_fault(code.code->slot_names[found.slot],
                              fmt::format("is assigned again{}{} while the closure is in use",
                                          place.empty() ? "" : " at ", place)));
    }
  }
}

} // namespace kiln
