// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln compile with several calls: writes a folder with one file for each call, and index.json that names
// them.
#pragma once

#include "../options.h"

#include <span>

namespace kiln::tool {

/// Compiles each call for each config on the session's threads into the folder of -o, and creates that
/// folder.
/// A failed call is reported and recorded in index.json; the others are written.
/// Several configs differ in their architecture, and the file names then include it.
/// Errors: the worst kind of those failures; Input, for a folder that cannot be written.
Result<void> compile_calls(Session &session, const CompileOptions &options,
                           std::span<const CompilerConfig> configs, ArtifactKind kind);

/// The text that --emit selects from an artifact. Errors: the disassembler's.
Result<std::string> result_text(const CompileOptions &options, const CompilerConfig &config,
                                const Artifact &artifact);

} // namespace kiln::tool
