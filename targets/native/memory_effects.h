// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory effects of instructions and functions that other threads can observe or cause.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <unordered_map>

namespace kiln::native {

struct Effects {
  bool synchronises = false; ///< has atomic or volatile accesses, fences or nanosleep
  bool reads = false;        ///< reads memory that another thread may write
  bool writes = false;       ///< writes memory that another thread may read
  bool reads_clock = false;

  Effects &operator|=(const Effects &other);
  bool operator==(const Effects &) const = default;
};

/// Metadata that marks loads of NativeThread::stop. Only the executor writes that flag, no thread of the
/// kernel.
inline constexpr const char *StopLoad = "kiln.stop";

/// Returns the alloca to which a pointer belongs, or null.
const llvm::AllocaInst *local_variable(const llvm::Value &pointer);
/// True for an atomic update that writes back the value that it read, such as an addition of 0.
bool is_atomic_read(const llvm::AtomicRMWInst &update);

/// Memory effects of all functions of a module. Cost: linear in the number of instructions and calls.
class FunctionEffects {
public:
  explicit FunctionEffects(const llvm::Module &module);
  /// Effects of one instruction. A call has the effects of its callee. Accesses to a thread's private
  /// variables do not count.
  Effects get(const llvm::Instruction &instruction) const;

private:
  std::unordered_map<const llvm::Function *, Effects> functions_;
};

} // namespace kiln::native
