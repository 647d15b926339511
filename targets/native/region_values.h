// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places a kernel's values after its regions (parts between barriers) became loops over threads:
//   hoisted   uniform and harmless to compute: once, before the loop of its region
//   rebuilt   cheap, from the thread index and hoisted values: recomputed in each region (mainly
//             addresses, so that LLVM sees contiguous accesses)
//   kept      all other values used by another region: an array with one element per thread
// Stack arrays have a copy for each thread.
#pragma once

#include "contexts.h"
#include "regions.h"
#include "thread_loop.h"
#include "uniformity.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace kiln::native {

/// A region with its plan, its loop over threads, and its dead ends.
struct LoopedRegion {
  Region plan;
  ThreadLoop loop;
  std::vector<llvm::BasicBlock *> dead_ends;
};

class RegionValues {
public:
  RegionValues(std::vector<LoopedRegion> &regions, const Uniformity *uniformity, Contexts &contexts,
               llvm::Instruction &slots_at, llvm::Value *guard)
      : regions_(regions), uniformity_(uniformity), contexts_(contexts), slots_at_(slots_at), guard_(guard) {}

  /// Replaces all uses of values that other regions define; uses of hoisted values stay. Call it before
  /// regions are connected to their loops.
  void place();
  /// Emits the condition of the region's last branch, after its loop. The condition holds for all threads
  /// together.
  llvm::Value *decision(const Region &region, llvm::IRBuilder<> &ir) const;

  /// Condition under which a thread runs this region; null: every thread does.
  llvm::Value *guard(unsigned region) const { return guards_[region]; }

private:
  using Known = std::set<const llvm::Value *>; // never iterated
  bool is_outer(const llvm::Value *value, const Known &hoisted) const;
  bool can_hoist(const llvm::Instruction &instruction, const Known &hoisted) const;
  bool has_one_value_a_region(const llvm::PHINode &phi) const;
  void hoist();
  void lower_phis();
  void keep_arrays();
  void store_decisions();
  void connect(unsigned region, std::vector<std::pair<llvm::Use *, llvm::Value *>> &replaced);
  llvm::Value *value_in(unsigned region, llvm::Value *value);
  bool can_rebuild(llvm::Value *value, unsigned &budget) const;
  bool can_share(const llvm::PHINode &phi, const std::set<unsigned> &phi_readers, unsigned region,
                 const llvm::Instruction &value, unsigned from, Contexts::Slot slot) const;
  std::set<unsigned> readers(const llvm::Instruction &value) const;
  bool overwrites(unsigned writer, const std::set<unsigned> &readers, unsigned made) const;
  Contexts::Slot stored_slot(llvm::Instruction &value, std::optional<Contexts::Slot> slot = {});
  unsigned owner(const llvm::Instruction &instruction) const;

  std::vector<LoopedRegion> &regions_;
  const Uniformity *uniformity_; ///< null for a single region
  Contexts &contexts_;
  llvm::Instruction &slots_at_; ///< dominates all regions
  llvm::Value *guard_;          ///< guard of all regions except the first; null: none
  std::vector<llvm::Value *> guards_;
  Known hoisted_;
  std::map<const llvm::BasicBlock *, unsigned> owners_; ///< never iterated
  std::vector<llvm::AllocaInst *> array_order_;
  std::map<const llvm::AllocaInst *, Contexts::Slot> arrays_;                ///< never iterated
  std::map<const llvm::Value *, Contexts::Slot> lowered_;                    ///< phis in memory; likewise
  std::map<const llvm::BasicBlock *, llvm::AllocaInst *> decisions_;         ///< likewise
  std::map<const llvm::Instruction *, Contexts::Slot> kept_;                 ///< likewise
  std::map<std::pair<unsigned, const llvm::Value *>, llvm::Value *> values_; ///< likewise
};

} // namespace kiln::native
