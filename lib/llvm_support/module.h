// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small operations on modules that several components need; those that targets outside the tree need too are
// in kiln/extension/llvm/ir.h.
#pragma once

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

class Worker;

/// Metadata of a loop whose conditions at its beginning hold in all iterations, but for an overflow.
inline constexpr const char *NarrowedLoop = "kiln.loop.narrowed";

/// Textual IR as a module in the worker's context. Error: Input, with line and column.
Result<std::unique_ptr<llvm::Module>> parse_ir(Worker &worker, std::string_view text, std::string_view name);
/// The folder, in debug information, of the language's own library.
inline constexpr const char *LibraryFolder = "kiln";
/// Gives a wrapper that calls `body` debug information of its own, so that the lines of what is inlined into
/// it survive. Source stacks leave such artificial frames out.
void place_wrapper(llvm::Function &wrapper, llvm::CallInst &call, const llvm::Function &body);

} // namespace kiln
