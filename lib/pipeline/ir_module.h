// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir_functions.h"

#include <llvm/IR/Module.h>

namespace kiln {

/// The module of an embedder's IR. Errors: Input, with the place in the text: what this LLVM cannot read.
Result<std::unique_ptr<llvm::Module>> parse_ir_function(const IrFunctions::Source &source, Worker &worker);

/// The module of some bitcode; `file` is its name in messages. Errors: Input: broken bitcode, or that of a
/// newer LLVM.
Result<std::unique_ptr<llvm::Module>> parse_bitcode(std::string_view bytes, const std::string &file,
                                                    llvm::LLVMContext &context);

/// Where a text first names a symbol, outside of comments; empty for bitcode, and where it does not.
Location place_of_symbol(const IrFunctions::Source &source, std::string_view symbol);
/// The same, but for declarations and definitions: the first call.
Location place_of_use(const IrFunctions::Source &source, std::string_view symbol);
/// Where a text first says `what`; empty for bitcode, and for what it does not say.
Location place_in_ir(const IrFunctions::Source &source, std::string_view what);

} // namespace kiln
