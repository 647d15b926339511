// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// Returns the hooks of the config, or hooks that do nothing. Each hook is called after the target's hook of
/// the same name.
const JobHooks &hooks_of(const CompilerConfig &config);

/// Sets the locations of stack frames that name only file and line, as hooks report them (error_at()). A
/// diagnostic without a location gets that of the innermost frame in user code.
void locate_frames(Error &error, const SourceMap &sources);

} // namespace kiln
