// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln compile with several calls: a folder with a file for each, and index.json that names them.
#pragma once

#include "../options.h"

#include <span>

namespace kiln::tool {

/// Each of the options' calls for each config, by the threads of the session, into the folder that -o names,
/// which is made if it is not there. A call that fails is reported, and has its error in index.json; the
/// others are written. Several configs differ in their architecture, which is then part of the files' names.
/// Errors: the worst kind of those; Input, for a folder that cannot be written.
Result<void> compile_calls(Session &session, const CompileOptions &options,
                           std::span<const CompilerConfig> configs, ArtifactKind kind);

/// What -o gets of an artifact, as --emit asked for it. Errors: of the disassembler.
Result<std::string> result_text(const CompileOptions &options, const CompilerConfig &config,
                                const Artifact &artifact);

} // namespace kiln::tool
