// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of `kiln compile` for a device, which says what they leave open.
#pragma once

#include <kiln/device.h>
#include <kiln/job.h>
#include <kiln/session.h>

#include <string_view>

namespace kiln {

/// As Session::read_config. Where the options name no target they are of the device's, with its architecture
/// unless they have another: {"maxthreads": 256} is enough for a GPU. Errors: those of it, and Usage for
/// another session's device.
KILN_API Result<CompilerConfig> read_config(Session &session, std::string_view json, const Device &device);

} // namespace kiln
