// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small operations on modules that several components need.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

class Worker;

/// Attributes by which emission marks the entry of a job, and a kernel.
inline constexpr const char *EntryAttribute = "kiln.entry";
inline constexpr const char *KernelAttribute = "kiln.kernel";
/// A function that deferred_codegen gave a pointer to, and a call of such a pointer.
inline constexpr const char *DeferredAttribute = "kiln.deferred";
/// Set by the rewrite that adds the state: the first parameter of this function is the kernel state.
inline constexpr const char *StateAttribute = "kiln.state";
/// On native the entry tells how much static shared memory its block needs; elsewhere globals do.
inline constexpr const char *SharedBytesAttribute = "kiln.shared_bytes";
/// Metadata of a loop whose conditions at its beginning hold in all iterations, but for an overflow.
inline constexpr const char *NarrowedLoop = "kiln.loop.narrowed";

/// The job's entry, or null.
llvm::Function *find_entry(llvm::Module &module);
const llvm::Function *find_entry(const llvm::Module &module);
/// The entry, or an internal error that says that there is none.
Result<llvm::Function *> entry_of(llvm::Module &module);
/// Whether the entry takes the kernel state as its first parameter (Artifact::has_kernel_state).
bool has_kernel_state(const llvm::Module &module);

/// Textual IR as a module in the worker's context. Error: Input, with line and column.
Result<std::unique_ptr<llvm::Module>> parse_ir(Worker &worker, std::string_view text, std::string_view name);
std::string print_ir(const llvm::Module &module);
/// LLVM's verifier. Error: Internal, with its whole text.
Result<void> verify_ir(const llvm::Module &module, std::string_view after);
/// The folder, in debug information, of the language's own library.
inline constexpr const char *LibraryFolder = "kiln";
/// Gives a wrapper that calls `body` debug information of its own, so that the lines of what is inlined into
/// it survive. Source stacks leave such artificial frames out.
void place_wrapper(llvm::Function &wrapper, llvm::CallInst &call, const llvm::Function &body);
/// A global in address space 3, and its bytes [begin, end) in the block's shared memory.
struct SharedVariable {
  const llvm::GlobalVariable *global;
  uint64_t begin, end;
};
/// The defined ones, in the module's order.
std::vector<SharedVariable> shared_layout(const llvm::Module &module);
/// Bytes that they take.
std::vector<SharedVariable> shared_layout(const llvm::Module &module);
uint64_t static_shared_bytes(const llvm::Module &module);

} // namespace kiln
