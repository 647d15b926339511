// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "session.h"

namespace kiln {

/// Reads options that change `base`, with the session's targets and hooks. Errors: as read_options.
Result<CompilerConfig> read_config(const Session::State &state, std::string_view json,
                                   const CompilerConfig &base);

/// Makes the target's options those of another architecture; they keep their PTX ISA where it is new enough.
/// False: the target has no such architectures, and is left as it is.
bool set_architecture(TargetSpec &target, GpuArch arch);

} // namespace kiln
