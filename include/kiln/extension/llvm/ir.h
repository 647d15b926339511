// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conventions of Kiln's LLVM modules for hooks and rewrites: attributes that mark functions, and queries.
// Only one thread at a time may use a module.
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

/// Attributes of functions: the entry of a job, and a kernel.
inline constexpr const char *EntryAttribute = "kiln.entry";
inline constexpr const char *KernelAttribute = "kiln.kernel";
/// Attribute of functions whose pointer deferred_codegen returned, and of calls of such pointers.
inline constexpr const char *DeferredAttribute = "kiln.deferred";
/// Attribute of calls of host functions (kiln/host_function.h). Such calls wait for no other thread of the
/// kernel.
inline constexpr const char *HostCallAttribute = "kiln.host_call";
/// Attribute of functions from a nested job's module (CompilerConfig::nested). The nested job's config
/// decided on fast math and always_inline for them.
inline constexpr const char *NestedAttribute = "kiln.nested";
/// Attribute of functions whose first parameter is the kernel state. The rewrite that adds the parameter sets
/// it.
inline constexpr const char *StateAttribute = "kiln.state";
/// Attribute of the entry on native: bytes of static shared memory of a block. Other targets use global
/// variables instead.
inline constexpr const char *SharedBytesAttribute = "kiln.shared_bytes";
/// Attribute of an entry for native, which sets Artifact::blocks_along_y.
inline constexpr const char *BlocksAlongYAttribute = "kiln.blocks_along_y";

/// The job's entry, or null.
llvm::Function *find_entry(llvm::Module &module);
const llvm::Function *find_entry(const llvm::Module &module);
/// Returns the job's entry. Error: Internal if there is none.
Result<llvm::Function *> entry_of(llvm::Module &module);
/// Returns true if the entry takes the kernel state as its first parameter (Artifact::has_kernel_state).
bool has_kernel_state(const llvm::Module &module);

/// Makes an error of a hook or target about an instruction. Its stack is the instruction's source lines,
/// innermost first, inlined calls included. The message points to the first line in a user's file.
Error error_at(const llvm::Instruction &at, ErrorCode code, std::string message, std::string hint = {});

std::string print_ir(const llvm::Module &module);
/// Runs LLVM's verifier. `after` names the preceding step. Error: Internal, with the verifier's whole text.
Result<void> verify_ir(const llvm::Module &module, std::string_view after);

/// A global variable in address space 3, and its byte range [begin, end) in the block's shared memory.
struct SharedVariable {
  const llvm::GlobalVariable *global;
  uint64_t begin, end;
};
/// Returns the module's defined shared variables, in the order of the module.
std::vector<SharedVariable> shared_layout(const llvm::Module &module);
/// Bytes that they take.
uint64_t static_shared_bytes(const llvm::Module &module);

} // namespace kiln
