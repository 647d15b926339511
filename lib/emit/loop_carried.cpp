// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutable objects that a loop makes and passes to its next iteration. Each statement that makes an object has
// one stack slot, which the next iteration overwrites. Each loop variable therefore gets a slot of its own,
// into which the object is copied. The copy is correct only if nothing else refers to the object, which this
// file checks.
#include "emitter.h"

namespace kiln {

namespace {

/// Finds the statements that may have made an object: New statements, calls and loop variables.
class Objects {
public:
  Objects(Shapes &shapes, const CodeInstance &code, uint32_t header)
      : shapes_(shapes), code_(code), header_(header) {}

  bool holds_object(uint32_t stmt) {
    const Lattice &known = code_.types[stmt];
    return known.type && !known.is_bottom() && !known.constant && shapes_.get(known.type)->has_mutable;
  }
  bool is_variable(uint32_t stmt) const {
    return code_.ssa->stmts[stmt].op == Op::Phi && code_.ssa->block_of[stmt] == header_;
  }

  /// Adds the origins of `operand` to `into`. Returns false if the object may come from the caller or from
  /// elsewhere.
  bool collect(Operand operand, std::set<uint32_t> &into) {
    if (operand.kind != Operand::Kind::Ssa) return operand.kind != Operand::Kind::Slot;
    uint32_t stmt = operand.index;
    if (!holds_object(stmt) || !seen_.insert(stmt).second) return true;
    const Stmt &at = code_.ssa->stmts[stmt];
    const bool is_copy =
        (at.op == Op::Copy || at.op == Op::Cell) && code_.calls[stmt].kind == CallInfo::Kind::None;
    bool passes = at.op == Op::Pi || is_copy || (at.op == Op::Phi && !is_variable(stmt));
    if (!passes) into.insert(stmt);
    if (is_variable(stmt)) return true;
    for (Operand arg : at.args) {
      if (arg.kind == Operand::Kind::Slot && !shapes_.get(code_.arguments[arg.index].type)->has_mutable)
        continue;
      if (!collect(arg, into)) return false;
    }
    return true;
  }
  std::optional<std::set<uint32_t>> all_of(Operand operand) {
    seen_.clear();
    std::set<uint32_t> result;
    if (!collect(operand, result)) return {};
    return result;
  }

private:
  Shapes &shapes_;
  const CodeInstance &code_;
  uint32_t header_;
  std::set<uint32_t> seen_;
};

/// Marks the blocks that are reachable from block `from` without passing through block `avoid`. `from` itself
/// counts.
std::vector<bool> reach(const SsaCode &ssa, uint32_t from, uint32_t avoid) {
  std::vector<bool> reached(ssa.blocks.size());
  std::vector<uint32_t> open{from};
  while (!open.empty()) {
    uint32_t block = open.back();
    open.pop_back();
    if (block == avoid || reached[block]) continue;
    reached[block] = true;
    for (uint32_t next : ssa.blocks[block].succs) open.push_back(next);
  }
  return reached;
}

bool share(const std::set<uint32_t> &a, const std::set<uint32_t> &b) {
  return std::ranges::any_of(a, [&](uint32_t object) { return b.contains(object); });
}

} // namespace

/// True if each loop variable in `moved` may have a stack slot of its own for its object.
bool Emitter::may_move(Frame &frame, uint32_t header, std::span<const uint32_t> moved) {
  const CodeInstance &code = frame.code;
  const SsaCode &ssa = *code.ssa;
  Objects objects(shapes_, code, header);
  std::set<uint32_t> arriving; // origins of all objects that enter the loop variables
  for (size_t k = 0; k < ssa.stmts[moved[0]].args.size(); ++k) {
    std::set<uint32_t> by_edge;
    uint32_t pred = ssa.stmts[moved[0]].phi_blocks[k];
    for (uint32_t phi : moved) {
      const Stmt &stmt = ssa.stmts[phi];
      for (size_t j = 0; j < stmt.args.size(); ++j) {
        if (stmt.phi_blocks[j] != pred || !stmt.args[j]) continue;
        auto found = objects.all_of(stmt.args[j]);
        // unknown origin, or one object for two variables
        if (!found || share(*found, by_edge)) return false;
        by_edge.insert(found->begin(), found->end());
      }
    }
    arriving.insert(by_edge.begin(), by_edge.end());
  }
  for (uint32_t stmt : arriving)
    if (objects.is_variable(stmt) && std::ranges::find(moved, stmt) == moved.end()) return false;
  // Values computed before the loop must not be used after it if they may refer to one of these objects.
  for (uint32_t value = 0; value < ssa.stmts.size(); ++value) {
    uint32_t block = ssa.block_of[value];
    if (block == header || !code.reachable[block] || !objects.holds_object(value)) continue;
    bool before = block == 0 || !reach(ssa, 0, block)[header];
    if (!before) continue;
    auto known = objects.all_of(Operand::ssa(value));
    if (known && !share(*known, arriving)) continue;
    std::vector<bool> later = reach(ssa, header, block);
    for (uint32_t user = 0; user < ssa.stmts.size(); ++user) {
      const Stmt &stmt = ssa.stmts[user];
      for (size_t k = 0; k < stmt.args.size(); ++k)
        if (stmt.args[k].kind == Operand::Kind::Ssa && stmt.args[k].index == value &&
            later[stmt.op == Op::Phi ? stmt.phi_blocks[k] : ssa.block_of[user]])
          return false;
    }
  }
  return true;
}

/// Copies the arriving objects into the slots of the loop variables, at the end of an edge into the loop.
/// Loads all contents before the first store, since a source may be another variable's slot.
void Emitter::move_objects(std::span<const std::pair<EmittedValue, llvm::Value *>> moves) {
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 4>, 4> contents;
  for (auto &[from, place] : moves) {
    auto &leaves = contents.emplace_back();
    for (unsigned i = 0; i < llvm::cast<llvm::StructType>(from.shape->object)->getNumElements(); ++i)
      leaves.push_back(b_.CreateLoad(llvm::cast<llvm::StructType>(from.shape->object)->getElementType(i),
                                     object_leaf(from.shape, from.scalar(), i)));
  }
  for (size_t m = 0; m < moves.size(); ++m)
    for (unsigned i = 0; i < contents[m].size(); ++i)
      b_.CreateStore(contents[m][i], object_leaf(moves[m].first.shape, moves[m].second, i));
}

bool Emitter::is_new_round_loop(Frame &frame, uint32_t stmt, uint32_t block) {
  const Stmt &phi = frame.code.ssa->stmts[stmt];
  EmittedValue result = frame.values[stmt];
  if (!result.is(Kind::Mutable)) return false;
  for (const Frame::Edge &edge : frame.blocks[block].in)
    for (size_t k = 0; k < phi.args.size(); ++k)
      if (edge.pred != ~0u && edge.pred >= block && phi.phi_blocks[k] == edge.pred && phi.args[k]) {
        EmittedValue value = operand(frame, phi.args[k]);
        if (value && value.is(Kind::Mutable) && value.scalar() != result.scalar() &&
            !llvm::isa<llvm::Constant, llvm::Argument>(value.scalar()))
          return true;
      }
  return false;
}

/// Gives stack slots to the loop variables that need and may have them, and emits the copies into them.
void Emitter::place_carried(Frame &frame) {
  std::map<uint32_t, std::vector<uint32_t>> by_loop;
  for (auto [stmt, block] : frame.phis)
    if (frame.values[stmt].shape->has_mutable && is_new_round_loop(frame, stmt, block))
      by_loop[block].push_back(stmt);
  for (auto &[block, moved] : by_loop) {
    std::set<llvm::BasicBlock *> sources;
    for (const Frame::Edge &edge : frame.blocks[block].in) sources.insert(edge.from);
    if (sources.size() != frame.blocks[block].in.size() || !may_move(frame, block, moved)) continue;
    std::vector<llvm::Value *> places;
    for (uint32_t stmt : moved) places.push_back(stack_slot(frame.values[stmt].shape->object, 0));
    for (Frame::Edge &edge : frame.blocks[block].in) {
      if (auto *branch = edge.from->getTerminator();
          branch->getNumSuccessors() > 1) { // the branch's other successor must not execute the copy
        llvm::BasicBlock *between = llvm::BasicBlock::Create(context_, "", edge.from->getParent());
        branch->replaceSuccessorWith(frame.blocks[block].entry, between);
        b_.SetInsertPoint(between);
        b_.CreateBr(frame.blocks[block].entry);
        edge.from = between;
      }
      b_.SetInsertPoint(edge.from->getTerminator());
      std::vector<std::pair<EmittedValue, llvm::Value *>> moves;
      for (size_t i = 0; i < moved.size(); ++i) {
        const Stmt &phi = frame.code.ssa->stmts[moved[i]];
        EmittedValue result = frame.values[moved[i]], value;
        for (size_t k = 0; k < phi.args.size(); ++k)
          if (phi.phi_blocks[k] == edge.pred && phi.args[k]) value = operand(frame, phi.args[k]);
        if (value && value.is(Kind::Mutable) && value.shape == result.shape &&
            !llvm::isa<llvm::Constant>(value.scalar()))
          moves.emplace_back(value, places[i]);
        llvm::cast<llvm::PHINode>(result.scalar())->addIncoming(places[i], edge.from);
      }
      move_objects(moves);
    }
    frame.placed.insert(moved.begin(), moved.end());
  }
}

} // namespace kiln
