// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `kiln precompile` is given: a manifest, which a person writes (docs/cache.md), or a trace, which a
// program recorded.
#pragma once

#include "options.h"

#include <precompile/precompile.h>

namespace kiln::tool {

/// Errors: Input with every fault of a manifest at its place.
Result<PrecompileList> read_manifest_or_trace(const std::string &path);

/// One line for people: the call, and what of its config is not the default.
std::string describe(const PrecompileJob &job);

} // namespace kiln::tool
