// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds uniform values of a kernel: values that are equal in all threads of a block. Throwing and waiting
// functions must be inlined earlier.
//
// Throwing threads are ignored: blocks without a path to a return do not count, so that a bounds check does
// not make the code after it divergent. A value is uniform if it depends only on arguments, the block index
// and constants. Phis of uniform values under uniform conditions are uniform too. Loaded values are not.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace kiln::native {

/// First parameters of every kernel: state, thread x, y, z.
constexpr unsigned ThreadParameter = 1, StateParameters = 4;
bool is_thread_index(const llvm::Value &value);
/// True for loads of values that do not change while a block runs.
bool is_invariant_load(const llvm::Instruction &instruction);

class Uniformity {
public:
  explicit Uniformity(llvm::Function &kernel);
  Uniformity(const Uniformity &) = delete;
  ~Uniformity();

  /// True if the block has a path to a return.
  bool lives(const llvm::BasicBlock *block) const { return originals_.count(copy_of(block)) != 0; }
  bool is_uniform(const llvm::Instruction &instruction) const;
  /// True if all threads that reach the end of this block together take the same edge.
  bool ends_uniformly(const llvm::BasicBlock *block) const;
  /// Returns the blocks whose branches decide whether this block runs.
  const std::vector<llvm::BasicBlock *> &deciders(const llvm::BasicBlock *block) const;

private:
  struct Analyses;
  const llvm::BasicBlock *copy_of(const llvm::BasicBlock *block) const;
  void drop_dead_ends();
  void find_deciders();

  llvm::Function *copy_;
  std::map<const llvm::Value *, llvm::Value *> copies_;              ///< never iterated
  std::map<const llvm::BasicBlock *, llvm::BasicBlock *> originals_; ///< likewise; only live blocks
  std::map<const llvm::BasicBlock *, std::vector<llvm::BasicBlock *>> deciders_; ///< likewise
  std::unique_ptr<Analyses> analyses_;
};

} // namespace kiln::native
