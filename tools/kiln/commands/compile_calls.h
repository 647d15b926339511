// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln compile with several calls: writes a folder with one file for each call, and index.json, which lists
// the calls with their files.
#pragma once

#include "../options.h"

#include <span>

namespace kiln::tool {

/// Compiles each call for each config on the session's threads. Creates the folder of -o and writes the
/// products and index.json there. A call that fails is reported and noted in index.json; the other products
/// are written. With several configs, one for each architecture, the file names include the architecture.
/// Errors: the most severe kind among the failed calls; Input, if the folder cannot be written.
Result<void> compile_calls(Session &session, const CompileOptions &options,
                           std::span<const CompilerConfig> configs, ArtifactKind kind);

/// Returns the output of --emit for a compiled artifact, such as its bytes or its disassembly. Errors: those
/// of the disassembler.
Result<std::string> result_text(const CompileOptions &options, const CompilerConfig &config,
                                const Artifact &artifact);

} // namespace kiln::tool
