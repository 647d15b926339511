// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/llvm/hooks.h>

namespace kiln {

/// The config's, or some that do nothing. Each is called right behind the target's of the same name.
const JobHooks &hooks_of(const CompilerConfig &config);

} // namespace kiln
