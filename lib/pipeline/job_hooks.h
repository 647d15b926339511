// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// Hooks of the config, or hooks that do nothing. Each is called after the target's hook of the same name.
const JobHooks &hooks_of(const CompilerConfig &config);

/// Locates stack frames that name only file and line, as hooks report them (error_at). Diagnostics without a
/// place get the user's innermost frame.
void locate_frames(Error &error, const SourceMap &sources);

} // namespace kiln
