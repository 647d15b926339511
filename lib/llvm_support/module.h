// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small operations on modules that several components share. kiln/extension/llvm/ir.h has those for external
// targets.
#pragma once

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

class Worker;

/// Marks a loop whose conditions were narrowed: tests that hold in all iterations are evaluated once before
/// it. Only an overflow makes them fail later.
inline constexpr const char *NarrowedLoop = "kiln.loop.narrowed";

/// True if a floating-point operation has fast-math flags. Its bits may then depend on optimisations.
bool has_relaxed_math(const llvm::Module &module);

/// Parses textual IR into the worker's context. Error: Input, with line and column.
Result<std::unique_ptr<llvm::Module>> parse_ir(Worker &worker, std::string_view text, std::string_view name);
/// Folder of the language's own library in debug information.
inline constexpr const char *LibraryFolder = "kiln";
/// Gives a wrapper that calls `body` debug information of its own, so that lines survive if `body` is inlined
/// into it. The wrapper's frame is artificial, and source stacks omit it.
void place_wrapper(llvm::Function &wrapper, llvm::CallInst &call, const llvm::Function &body);

} // namespace kiln
