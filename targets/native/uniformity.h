// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is the same for all threads of a block, in a kernel whose calls that throw or wait are inlined.
//
// Threads that throw are left out: the blocks from which no path returns do not count, so a bounds check does
// not make what stands behind it divergent. Values that depend on the kernel's arguments, on the block and on
// constants only are uniform, and values that were joined under uniform conditions; what is loaded from
// memory is not.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace kiln::native {

/// Of every kernel: state, thread x, y, z.
constexpr unsigned ThreadParameter = 1, StateParameters = 4;
bool is_thread_index(const llvm::Value &value);
/// Loads something that does not change while the block runs.
bool is_invariant_load(const llvm::Instruction &instruction);

/// The blocks from which a path returns.
std::set<const llvm::BasicBlock *> returning_blocks(const llvm::Function &function);

class Uniformity {
public:
  explicit Uniformity(llvm::Function &kernel);
  Uniformity(const Uniformity &) = delete;
  ~Uniformity();

  /// Whether a path from here returns.
  bool lives(const llvm::BasicBlock *block) const { return originals_.count(copy_of(block)) != 0; }
  bool is_uniform(const llvm::Instruction &instruction) const;
  /// Threads that come to the end of this block together go on together.
  bool ends_uniformly(const llvm::BasicBlock *block) const;
  /// The blocks whose ends decide whether this one runs.
  const std::vector<llvm::BasicBlock *> &deciders(const llvm::BasicBlock *block) const;

private:
  struct Analyses;
  const llvm::BasicBlock *copy_of(const llvm::BasicBlock *block) const;
  void drop_dead_ends();
  void find_deciders();

  llvm::Function *copy_;
  std::map<const llvm::Value *, llvm::Value *> copies_;              ///< look-up only
  std::map<const llvm::BasicBlock *, llvm::BasicBlock *> originals_; ///< likewise, of blocks that live
  std::map<const llvm::BasicBlock *, std::vector<llvm::BasicBlock *>> deciders_; ///< likewise
  std::unique_ptr<Analyses> analyses_;
};

} // namespace kiln::native
