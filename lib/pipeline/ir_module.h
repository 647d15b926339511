// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir_functions.h"

#include <llvm/IR/Module.h>

namespace kiln {

/// Parses an embedder's IR. Errors: Input, with the place in the text, for IR that this LLVM cannot read.
Result<std::unique_ptr<llvm::Module>> parse_ir_function(const IrFunctions::Source &source, Worker &worker);

/// Parses bitcode; `file` is its name in messages. Errors: Input for broken bitcode, or that of a newer LLVM.
Result<std::unique_ptr<llvm::Module>> parse_bitcode(std::string_view bytes, const std::string &file,
                                                    llvm::LLVMContext &context);

/// Location of the symbol's first occurrence outside of comments. Empty for bitcode, or if the text lacks it.
Location place_of_symbol(const IrFunctions::Source &source, std::string_view symbol);
/// Location of the symbol's first call: like place_of_symbol(), but ignores declarations and definitions.
Location place_of_use(const IrFunctions::Source &source, std::string_view symbol);
/// Location of the first occurrence of the text `what` in the IR. Empty for bitcode, or if the IR lacks it.
Location place_in_ir(const IrFunctions::Source &source, std::string_view what);

} // namespace kiln
