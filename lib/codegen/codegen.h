// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component codegen (layer 6): assembly and objects from an optimised module.
//   large_functions  functions that are too large for the optimising code generator
#pragma once

#include "large_functions.h"

#include <kiln/result.h>

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

class Worker;

/// Last changes before code generation: debug information and names by the config, and the target's DWARF
/// version. The module can still be printed as IR.
Result<void> prepare_codegen(const CompilerConfig &config, llvm::Module &module, const Target &target);

/// Returns assembly text or object bytes (kind: Assembly or Object). A module with a large function is
/// compiled as at -O0. Consumes the module.
Result<std::string> generate_code(const CompilerConfig &config, llvm::Module &module, const Target &target,
                                  Worker &worker, ArtifactKind kind);

} // namespace kiln
