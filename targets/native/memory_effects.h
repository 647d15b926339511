// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory effects of instructions and functions that other threads can observe or cause.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <unordered_map>

namespace kiln::native {

struct Effects {
  bool synchronises = false; ///< atomic or volatile accesses, fences, nanosleep
  bool reads = false;        ///< memory that another thread may write
  bool writes = false;       ///< memory that another thread may read
  bool reads_clock = false;

  Effects &operator|=(const Effects &other);
  bool operator==(const Effects &) const = default;
};

/// Metadata of loads of NativeThread::stop. The executor writes that word; threads of the kernel do not.
inline constexpr const char *StopLoad = "kiln.stop";

/// The alloca behind a pointer, or null.
const llvm::AllocaInst *local_variable(const llvm::Value &pointer);
/// True for an update that writes the value that it reads, such as an addition of 0.
bool is_atomic_read(const llvm::AtomicRMWInst &update);

/// Effects of all functions of a module. Cost: linear in its instructions and calls.
class FunctionEffects {
public:
  explicit FunctionEffects(const llvm::Module &module);
  /// Effects of an instruction. A call has the effects of its callee. Private variables of a thread do not
  /// count.
  Effects get(const llvm::Instruction &instruction) const;

private:
  std::unordered_map<const llvm::Function *, Effects> functions_;
};

} // namespace kiln::native
