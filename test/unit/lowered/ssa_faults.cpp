// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A verifier of SSA form that shares nothing with its construction: dominators as sets, by iteration.
#include "fixture.h"

#include <set>

using namespace kiln;

namespace {

struct Checker {
  const SsaCode &code;
  std::vector<std::string> faults;
  std::vector<std::set<uint32_t>> dominators;

  template <class... Args> void expect(bool condition, fmt::format_string<Args...> text, Args &&...args) {
    if (!condition) faults.push_back(fmt::format(text, std::forward<Args>(args)...));
  }

  void graph() {
    expect(!code.blocks.empty() && code.blocks[0].preds.empty(), "the entry has predecessors");
    uint32_t next = 0;
    for (uint32_t b = 0; b < code.blocks.size(); ++b) {
      const SsaBlock &block = code.blocks[b];
      expect(block.begin == next && block.end > block.begin, "block {} does not follow", b);
      next = block.end;
      std::set<uint32_t> preds(block.preds.begin(), block.preds.end());
      expect(preds.size() == block.preds.size(), "block {} has a predecessor twice", b);
      expect(b == 0 || !preds.empty(), "block {} is unreachable", b);
      for (uint32_t pred : preds) {
        auto &succs = code.blocks[pred].succs;
        expect(std::count(succs.begin(), succs.end(), b) == 1, "edge {}-{} is no successor edge", pred, b);
      }
      for (uint32_t succ : block.succs)
        expect(std::count(code.blocks[succ].preds.begin(), code.blocks[succ].preds.end(), b) == 1,
               "edge {}-{} is no predecessor edge", b, succ);
      const Stmt &last = code.stmts[block.end - 1];
      size_t ways = last.op == Op::Goto ? 1 : last.op == Op::GotoIfNot ? 2 : 0;
      expect(ways || last.op == Op::Return || last.op == Op::Unreachable, "block {} has no terminator", b);
      expect(block.succs.size() == ways, "block {} has {} successors", b, block.succs.size());
      if (ways) expect(last.target == block.succs.back(), "block {} jumps elsewhere", b);
    }
    expect(next == code.stmts.size(), "statements outside of blocks");
  }

  void dominance() {
    std::set<uint32_t> all;
    for (uint32_t b = 0; b < code.blocks.size(); ++b) all.insert(b);
    dominators.assign(code.blocks.size(), all);
    dominators[0] = {0};
    for (bool changed = true; changed;) {
      changed = false;
      for (uint32_t b = 1; b < code.blocks.size(); ++b) {
        std::set<uint32_t> common = all;
        for (uint32_t pred : code.blocks[b].preds)
          std::erase_if(common, [&](uint32_t d) { return !dominators[pred].count(d); });
        common.insert(b);
        if (common != dominators[b]) {
          dominators[b] = common;
          changed = true;
        }
      }
    }
    for (uint32_t b = 0; b < code.blocks.size(); ++b) {
      uint32_t idom = code.blocks[b].idom;
      std::set<uint32_t> strict = dominators[b];
      strict.erase(b);
      expect(b == 0 ? idom == 0 : dominators[idom] == strict, "block {}: {} is not its immediate dominator",
             b, idom);
      bool header = false;
      for (uint32_t pred : code.blocks[b].preds) header |= pred >= b;
      expect(header == code.blocks[b].is_loop_header, "block {}: loop header or not", b);
    }
  }

  void used_at(uint32_t user, Operand operand, uint32_t block, bool at_end) {
    if (operand.kind == Operand::Kind::Slot)
      expect(operand.index < code.code->nargs, "%{} reads slot {}", user, operand.index);
    if (operand.kind == Operand::Kind::Const)
      expect(operand.index < code.code->constants.size() + code.extra_constants.size(), "%{} constant", user);
    if (operand.kind != Operand::Kind::Ssa) return;
    if (operand.index >= code.stmts.size()) {
      faults.push_back(fmt::format("%{} uses %{}", user, operand.index));
      return;
    }
    uint32_t definition = code.block_of[operand.index];
    expect(dominators[block].count(definition), "%{} uses %{}, which does not dominate it", user,
           operand.index);
    expect(at_end || definition != block || operand.index < user, "%{} uses %{} too early", user,
           operand.index);
    Op op = code.stmts[operand.index].op;
    expect(op == Op::Phi || op == Op::Pi || op == Op::Copy || op == Op::Call || op == Op::New ||
               op == Op::NewClosure || op == Op::BoundsCheck || op == Op::Cell,
           "%{} uses %{}, which has no value", user, operand.index);
  }

  void statements() {
    std::vector<int> uses(code.stmts.size(), 0);
    for (uint32_t b = 0; b < code.blocks.size(); ++b) {
      int stage = 0;
      for (uint32_t i = code.blocks[b].begin; i < code.blocks[b].end; ++i) {
        const Stmt &stmt = code.stmts[i];
        expect(code.block_of[i] == b, "%{} is in another block", i);
        int now = stmt.op == Op::Phi ? 0 : stmt.op == Op::Pi ? 1 : 2;
        expect(now >= stage, "%{} stands too late", i);
        stage = now;
        bool terminator = stmt.op == Op::Goto || stmt.op == Op::GotoIfNot || stmt.op == Op::Return ||
                          stmt.op == Op::Unreachable;
        expect(terminator == (i + 1 == code.blocks[b].end), "%{}: terminator or not", i);
        expect(stmt.op != Op::SetSlot && stmt.op != Op::IsDefined, "%{} is of slot form", i);
        for (Operand arg : stmt.args)
          if (arg.kind == Operand::Kind::Ssa && arg.index < uses.size() && arg.index != i) ++uses[arg.index];
        if (stmt.op == Op::Phi) {
          expect(stmt.phi_blocks == code.blocks[b].preds && stmt.args.size() == stmt.phi_blocks.size(),
                 "%{}: phi of other blocks", i);
          std::set<std::pair<int, uint32_t>> distinct;
          for (size_t k = 0; k < stmt.args.size(); ++k) {
            used_at(i, stmt.args[k], stmt.phi_blocks[k], true);
            if (stmt.args[k] != Operand::ssa(i))
              distinct.insert({int(stmt.args[k].kind), stmt.args[k].index});
          }
          expect(distinct.size() > 1, "%{} is a trivial phi", i);
        } else {
          for (Operand arg : stmt.args) used_at(i, arg, b, false);
        }
        if (stmt.op == Op::Pi) expect(code.blocks[b].preds.size() == 1, "%{}: a pi at a join", i);
      }
    }
    for (uint32_t i = 0; i < code.stmts.size(); ++i)
      if (code.stmts[i].op == Op::Phi || code.stmts[i].op == Op::Pi) expect(uses[i] > 0, "%{} is dead", i);
  }
};

} // namespace

std::vector<std::string> ssa_faults(const SsaCode &code) {
  Checker checker{code, {}, {}};
  checker.graph();
  if (!checker.faults.empty()) return checker.faults;
  checker.dominance();
  checker.statements();
  return checker.faults;
}
