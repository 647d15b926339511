// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "session.h"

namespace kiln {

/// Reads options that change `base`, with the session's targets and hooks. Errors: as read_options.
Result<CompilerConfig> read_config(const Session::State &state, std::string_view json,
                                   const CompilerConfig &base);

} // namespace kiln
