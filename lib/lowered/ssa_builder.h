// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SSA construction. Internal to the component. Phases, in order:
//   closures   finds local closures to create again at each use (ssa_closures.cpp)
//   split      gives edges that may need a pi a block of their own (ssa.cpp)
//   rename     visits blocks in reverse post-order. A read finds the value that reaches it; a join gets a phi
//              without operands, since its predecessors may not be visited yet (ssa.cpp)
//   fill       sets operands of phis, which may make further phis, until none is left (ssa.cpp)
//   simplify   removes trivial phis, checks that always succeed, dead phis and pis; adds copies for a join
//              rule (ssa_cleanup.cpp)
//   finish     removes unneeded splits; numbering, dominators, loop headers (ssa_cleanup.cpp)
#pragma once

#include "cfg.h"
#include "ssa.h"

#include <deque>
#include <set>

namespace kiln {

class SsaBuilder {
public:
  SsaBuilder(TypeContext &types, const CodeInfo &code, const Value &throw_undef_var)
      : types_(types), code_(code), throw_undef_var_(throw_undef_var) {
    ssa_.code = &code;
  }
  SsaCode run();

private:
  struct Block {
    /// Range of flat statements; empty for a split edge, and for an entry that was added.
    uint32_t begin = 0, end = 0;
    std::vector<uint32_t> preds, succs;
    std::vector<uint32_t> phis, pis, body; ///< numbers of instructions; the last of `body` is the terminator
    bool is_split = false;
  };
  /// An instruction under construction. The operand Ssa(i) refers to instruction number i.
  struct Instruction {
    Stmt stmt;
    uint32_t block = 0;    ///< Phi: its block
    uint32_t variable = 0; ///< variable that a Phi merges (see value_of)
    bool dead = false;
    bool is_check = false; ///< a throw_undef_var call that SSA construction has added
    uint32_t declared = 0; ///< 1 + index into declared_; 0: the type is not declared
  };

  // ---- ssa.cpp
  void make_blocks();
  bool may_narrow(Operand flat_condition) const;
  void rename(uint32_t block);
  void rename_statement(uint32_t block, uint32_t index);
  void mark(uint32_t block, const Stmt &flat);
  void branch_pis(uint32_t block, Operand condition, Span at);
  void add_pis(uint32_t block, Operand value, Operand condition, bool when, Span at);
  void fill_phis();
  Operand use(uint32_t block, Operand flat, Span at);
  Operand read(uint32_t variable, uint32_t block);
  void declare(uint32_t id, const SsaDeclaration &declared);
  void declare_slot(uint32_t id, uint32_t slot);
  void write(uint32_t variable, uint32_t block, Operand value) { defs_[key(variable, block)] = value; }
  Operand initial(uint32_t variable);
  uint32_t add(uint32_t block, std::vector<uint32_t> &list, Stmt stmt);
  Operand boolean(bool value);
  Operand extra_constant(Value value);
  const Value *constant(Operand operand) const;

  // ---- ssa_closures.cpp
  /// A closure over reassigned variables that is assigned to a local variable once. Each read of that
  /// variable makes the closure again.
  struct LocalClosure {
    uint32_t made = 0; ///< the NewClosure, a flat statement
    bool is_decided = false;
    std::vector<uint32_t> kept_slots; ///< by capture: a slot added for the captured value, or read_again
  };
  static constexpr uint32_t read_again = ~0u;
  void find_local_closures();
  void add_captured(const std::unordered_map<uint32_t, LocalClosure> &all, const LocalClosure &closure,
                    std::set<uint32_t> &into) const;
  void decide(uint32_t slot, LocalClosure &closure);
  bool is_stale(uint32_t slot, uint32_t captured);
  bool is_only_stored(uint32_t statement) const;
  Operand remake_closure(uint32_t block, const LocalClosure &closure);
  void keep_captures(uint32_t block, const LocalClosure &closure);
  Operand capture(uint32_t block, const Stmt &cell, bool at_closure);
  const LocalClosure *local_closure(uint32_t slot) const {
    auto found = local_closures_.find(slot);
    return found == local_closures_.end() ? nullptr : &found->second;
  }

  // ---- ssa_cleanup.cpp
  Operand resolve(Operand operand);
  std::optional<Operand> trivial(uint32_t id);
  void settle_assigned(const std::vector<uint32_t> &phis);
  void remove_trivial_phis();
  void remove_checks();
  void remove_dead();
  void copy_joined();
  void remove_empty_splits();
  void finish();

  /// Numbers of SSA variables: 2s is the value of slot s, and 2s+1 is true if slot s is assigned.
  static uint32_t value_of(uint32_t slot) { return 2 * slot; }
  static uint32_t assigned(uint32_t slot) { return 2 * slot + 1; }
  static uint64_t key(uint32_t variable, uint32_t block) { return uint64_t(block) << 32 | variable; }

  TypeContext &types_;
  const CodeInfo &code_;
  const Value &throw_undef_var_;
  SsaCode ssa_;
  std::vector<Block> blocks_;
  std::deque<Instruction> instructions_;
  /// For each instruction, the operand that replaces it, or the instruction itself.
  std::vector<Operand> replaced_;
  std::unordered_map<uint64_t, Operand> defs_; ///< variable's value at the end of a block
  std::vector<Operand> result_of_;             ///< flat statement -> its value
  std::vector<uint32_t> unfilled_;             ///< phis
  Operand true_, false_, throw_operand_;
  std::unordered_map<uint32_t, LocalClosure> local_closures_; ///< by slot
  uint32_t added_slots_ = 0;
  std::vector<bool> skipped_; ///< by flat statement: true if only local closures that are made again use it
  /// For each slot, true if a Cell captures it and it is assigned later. Empty: there is no such slot.
  std::vector<bool> shared_;
  const bool declares_ = code_.has_declarations();
  std::vector<SsaDeclaration> declared_;
};

} // namespace kiln
