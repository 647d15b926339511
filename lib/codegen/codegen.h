// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component codegen (layer 6): makes assembly or an object of an optimised module.
//   large_functions  finds functions that are too large for the optimising code generator
#pragma once

#include "large_functions.h"

#include <kiln/result.h>

#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace kiln {

class Worker;

/// Makes the last changes before code generation: removes debug information and names as the config says, and
/// sets the target's DWARF version. The module can still be printed as IR afterwards.
Result<void> prepare_codegen(const CompilerConfig &config, llvm::Module &module, const Target &target);

/// Returns assembly text or the bytes of an object (`kind`: Assembly or Object). If a function is too large,
/// the whole module is compiled as at -O0. Consumes the module.
Result<std::string> generate_code(const CompilerConfig &config, llvm::Module &module, const Target &target,
                                  Worker &worker, ArtifactKind kind);

} // namespace kiln
