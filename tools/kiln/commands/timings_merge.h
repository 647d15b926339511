// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../command.h"

namespace kiln::tool {

Action timings_merge_command(CLI::App &app);

} // namespace kiln::tool
