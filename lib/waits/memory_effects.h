// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory effects of instructions and functions that other threads can observe or cause.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <unordered_map>

namespace kiln::waits {

struct Effects {
  bool synchronises = false; ///< has atomic or volatile accesses, fences or nanosleep
  bool reads = false;        ///< reads memory that another thread may write
  bool writes = false;       ///< writes memory that another thread may read
  bool reads_clock = false;

  Effects &operator|=(const Effects &other);
  bool operator==(const Effects &) const = default;
};

/// Metadata that marks loads of a flag that no thread of the kernel writes: the native target's
/// NativeThread::stop.
inline constexpr const char *StopLoad = "kiln.stop";

/// Returns the alloca to which a pointer belongs, or null.
const llvm::AllocaInst *local_variable(const llvm::Value &pointer);
/// True for an atomic update that writes back the value that it read, such as an addition of 0.
bool is_atomic_read(const llvm::AtomicRMWInst &update);

/// Memory effects of all functions of a module. Cost: linear in the number of instructions and calls.
class FunctionEffects {
public:
  using Predicate = std::function<bool(const llvm::Function &)>;
  /// `is_ignored`: true for functions that change nothing that the kernel's threads read, such as those that
  /// report an exception.
  FunctionEffects(const llvm::Module &module, Predicate is_ignored);
  /// Effects of one instruction. A call has the effects of its callee. Accesses to a thread's private
  /// variables do not count.
  Effects get(const llvm::Instruction &instruction) const;
  /// Effects of a defined function; none for a function that is ignored.
  Effects get(const llvm::Function &function) const;

private:
  Effects effects_of_declaration(const llvm::CallBase &call, const llvm::Function &callee) const;

  std::unordered_map<const llvm::Function *, Effects> functions_;
  Predicate is_ignored_;
};

} // namespace kiln::waits
