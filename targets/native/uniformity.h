// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uniform values: equal in all threads of a block. Throwing and waiting calls of the kernel must be inlined.
//
// Throwing threads are ignored: blocks without a path to a return do not count, so that a bounds check does
// not make the code after it divergent. Uniform are values that depend only on arguments, the block and
// constants, and phis of uniform values under uniform conditions. Loaded values are not.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

namespace kiln::native {

/// Parameters of every kernel: state, thread x, y, z.
constexpr unsigned ThreadParameter = 1, StateParameters = 4;
bool is_thread_index(const llvm::Value &value);
/// True for loads of values that do not change while the block runs.
bool is_invariant_load(const llvm::Instruction &instruction);

/// Blocks from which a path leads to a return.
std::set<const llvm::BasicBlock *> returning_blocks(const llvm::Function &function);

class Uniformity {
public:
  explicit Uniformity(llvm::Function &kernel);
  Uniformity(const Uniformity &) = delete;
  ~Uniformity();

  /// True if a path from here leads to a return.
  bool lives(const llvm::BasicBlock *block) const { return originals_.count(copy_of(block)) != 0; }
  bool is_uniform(const llvm::Instruction &instruction) const;
  /// True if threads that reach the end of this block together take the same edge.
  bool ends_uniformly(const llvm::BasicBlock *block) const;
  /// Blocks whose terminators decide whether this one runs.
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
