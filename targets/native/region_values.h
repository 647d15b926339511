// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value of the kernel becomes once its regions are loops over threads:
//   hoisted   uniform, and harmless to compute: once, in front of the loop of its region
//   rebuilt   cheap, from the thread's index and hoisted values: computed again in each region (addresses
//   above all, so
//             that LLVM sees which accesses are side by side)
//   kept      all else that another region uses: an array of one element a thread
// Arrays on the stack have a copy for each thread.
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

/// What one region is made of: its plan, its loop, and its blocks from which no path returns.
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

  /// Before the regions are connected to their loops: leaves no use of a value across regions but of hoisted
  /// ones.
  void place();
  /// What a region's last branch depends on, for all threads together behind its loop.
  llvm::Value *decision(const Region &region, llvm::IRBuilder<> &ir) const;

  /// Whether the thread takes part in this region; null: all do.
  llvm::Value *guard(unsigned region) const { return guards_[region]; }

private:
  using Known = std::set<const llvm::Value *>; // membership only
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
  Contexts::Slot kept(llvm::Instruction &value, std::optional<Contexts::Slot> slot = {});
  unsigned owner(const llvm::Instruction &instruction) const;

  std::vector<LoopedRegion> &regions_;
  const Uniformity *uniformity_; ///< not needed for one region
  Contexts &contexts_;
  llvm::Instruction &slots_at_; ///< in front of all regions
  llvm::Value *guard_;          ///< of all regions but the first
  std::vector<llvm::Value *> guards_;
  Known hoisted_;
  std::map<const llvm::BasicBlock *, unsigned> owners_; ///< look-up only
  std::vector<llvm::AllocaInst *> array_order_;
  std::map<const llvm::AllocaInst *, Contexts::Slot> arrays_;        ///< look-up only
  std::map<const llvm::Value *, Contexts::Slot> lowered_;            ///< phis that are in memory; likewise
  std::map<const llvm::BasicBlock *, llvm::AllocaInst *> decisions_; ///< likewise
  std::map<const llvm::Instruction *, Contexts::Slot> kept_;         ///< likewise
  std::map<std::pair<unsigned, const llvm::Value *>, llvm::Value *> values_; ///< likewise
};

} // namespace kiln::native
