// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What certainly throws in emitted IR: worth a warning, for the code that is made of it is a bare end of the
// thread.
#pragma once

#include "check_ir.h"

namespace kiln {

/// Bounds checks that fail whenever they are reached, and the exception that a kernel ends in if it never
/// returns. To be asked of the module as emission left it, while kiln.throw has its name. In the order of the
/// source; each with its stack.
std::vector<Fault> find_certain_throws(const llvm::Module &module);

/// The fault at that instruction, with its stack; without debug information the stack is empty.
Fault fault_at(const llvm::Instruction &instruction, std::string reason, std::string hint);

/// As a warning with the place in the user's code.
Diagnostic fault_to_warning(const Fault &fault, const SourceMap *sources);

} // namespace kiln
