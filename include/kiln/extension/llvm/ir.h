// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of Kiln's modules, for hooks and rewrites: attributes that mark functions, and questions about a
// job's module. A module, and so each function that takes one, is for one thread at a time.
#pragma once

#include <kiln/result.h>

#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Instruction;
class Module;
} // namespace llvm

namespace kiln {

/// Attributes by which emission marks the entry of a job, and a kernel.
inline constexpr const char *EntryAttribute = "kiln.entry";
inline constexpr const char *KernelAttribute = "kiln.kernel";
/// A function that deferred_codegen gave a pointer to, and a call of such a pointer.
inline constexpr const char *DeferredAttribute = "kiln.deferred";
/// Attribute of calls of host functions (kiln/host_function.h), which wait for no other thread.
inline constexpr const char *HostCallAttribute = "kiln.host_call";
/// A function from the module of a nested job (CompilerConfig::nested), whose config decided on fast math and
/// always_inline.
inline constexpr const char *NestedAttribute = "kiln.nested";
/// Set by the rewrite that adds the state: the first parameter of this function is the kernel state.
inline constexpr const char *StateAttribute = "kiln.state";
/// On native, the entry's bytes of static shared memory a block; other targets use globals.
inline constexpr const char *SharedBytesAttribute = "kiln.shared_bytes";
/// Attribute of an entry for native: Artifact::blocks_along_y.
inline constexpr const char *BlocksAlongYAttribute = "kiln.blocks_along_y";

/// The job's entry, or null.
llvm::Function *find_entry(llvm::Module &module);
const llvm::Function *find_entry(const llvm::Module &module);
/// The entry; an internal error if there is none.
Result<llvm::Function *> entry_of(llvm::Module &module);
/// Returns true if the entry takes the kernel state as its first parameter (Artifact::has_kernel_state).
bool has_kernel_state(const llvm::Module &module);

/// An error of a hook or a target about an instruction. Its stack is the source lines of the instruction,
/// innermost first, through inlined functions. The message points at the first line in a file of the user's.
Error error_at(const llvm::Instruction &at, ErrorCode code, std::string message, std::string hint = {});

std::string print_ir(const llvm::Module &module);
/// LLVM's verifier. Error: Internal, with its whole text.
Result<void> verify_ir(const llvm::Module &module, std::string_view after);

/// A global in address space 3, and its bytes [begin, end) in the block's shared memory.
struct SharedVariable {
  const llvm::GlobalVariable *global;
  uint64_t begin, end;
};
/// The defined ones, in the module's order.
std::vector<SharedVariable> shared_layout(const llvm::Module &module);
/// Bytes that they take.
uint64_t static_shared_bytes(const llvm::Module &module);

} // namespace kiln
