// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds throws in emitted IR that certainly happen. They cause a warning, since the compiled code would only
// end the thread.
#pragma once

#include "check_ir.h"

namespace kiln {

/// Finds bounds checks that fail whenever they are reached, and the final exception of a kernel that never
/// returns. The results are in source order, with stacks. Call it on emitted IR, before kiln.throw is
/// replaced.
std::vector<Fault> find_certain_throws(const llvm::Module &module);

/// Makes a fault for an instruction, with the instruction's source stack. Without debug information the stack
/// is empty.
Fault fault_at(const llvm::Instruction &instruction, std::string reason, std::string hint);

/// Converts a fault to a warning with the place in the user's code.
Diagnostic fault_to_warning(const Fault &fault, const SourceMap *sources);

} // namespace kiln
