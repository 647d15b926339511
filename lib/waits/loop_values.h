// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of values of a loop, in emitted IR that no pass has simplified.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instruction.h>

namespace kiln::waits {

/// Object that contains the address: an argument, a variable, or the instruction that yields the pointer.
const llvm::Value *underlying_object(const llvm::Value *pointer);
/// True if the pointer's object is known. Loaded and selected pointers may point to any object.
bool is_known_object(const llvm::Value *object);
/// Address that the load or atomic update reads; null for other instructions.
const llvm::Value *pointer_of(const llvm::Instruction &instruction);

/// True if both compute the same value, perhaps by different instructions: emitted code recomputes an address
/// at each use.
bool is_same_value(const llvm::Value *a, const llvm::Value *b, unsigned depth = 0);
/// True if the value is the same in all iterations of the loop.
bool is_invariant(const llvm::Value *value, const llvm::Loop &loop, unsigned depth = 0);

} // namespace kiln::waits
