// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small operations on modules, shared by several components. Those for external targets are in
// kiln/extension/llvm/ir.h.
#pragma once

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

class Worker;

/// Metadata of a loop whose entry conditions hold in all iterations, except after an overflow.
inline constexpr const char *NarrowedLoop = "kiln.loop.narrowed";

/// Parses textual IR into the worker's context. Error: Input, with line and column.
Result<std::unique_ptr<llvm::Module>> parse_ir(Worker &worker, std::string_view text, std::string_view name);
/// Folder of the language's own library in debug information.
inline constexpr const char *LibraryFolder = "kiln";
/// Gives a wrapper that calls `body` its own debug information, so that the lines of code inlined into it
/// survive. Source stacks omit such artificial frames.
void place_wrapper(llvm::Function &wrapper, llvm::CallInst &call, const llvm::Function &body);

} // namespace kiln
