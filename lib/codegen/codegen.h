// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component codegen (layer 6): assembly and objects from an optimised module.
//   large_functions  what is too large for the optimising code generator
#pragma once

#include "large_functions.h"

#include <kiln/result.h>

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

class Worker;

/// Last changes before code generation: debug information and names go where the config says so, DWARF's
/// version is the target's. After it the module still prints as IR.
Result<void> prepare_codegen(const CompilerConfig &config, llvm::Module &module, const Target &target);

/// Assembly text or object bytes (kind: Assembly or Object); of a module with a large function as at -O0. The
/// module is used up.
Result<std::string> generate_code(const CompilerConfig &config, llvm::Module &module, const Target &target,
                                  Worker &worker, ArtifactKind kind);

} // namespace kiln
