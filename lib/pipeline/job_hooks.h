// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// The config's, or some that do nothing. Each is called right behind the target's of the same name.
const JobHooks &hooks_of(const CompilerConfig &config);

/// Finds the places of stack frames that name only file and line, as hooks give them (error_at), and points
/// diagnostics without a place at the user's innermost frame.
void locate_frames(Error &error, const SourceMap &sources);

} // namespace kiln
