// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Certain throws in emitted IR. They deserve a warning: the compiled code would only end the thread.
#pragma once

#include "check_ir.h"

namespace kiln {

/// Bounds checks that fail whenever they are reached, and the final exception of a kernel that never returns,
/// in source order, with stacks. Call it on emitted IR, before kiln.throw is replaced.
std::vector<Fault> find_certain_throws(const llvm::Module &module);

/// A fault at that instruction with its stack; the stack is empty without debug information.
Fault fault_at(const llvm::Instruction &instruction, std::string reason, std::string hint);

/// Converts to a warning with the place in the user's code.
Diagnostic fault_to_warning(const Fault &fault, const SourceMap *sources);

} // namespace kiln
