// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages for command lines that CLI11 does not take.
#pragma once

#include "help.h"

namespace kiln::tool {

/// Reports an unknown command. CLI11 would only say that a command is missing.
Result<void> check_command(const CLI::App &app, std::span<const std::string> words);

/// Describes the wrong words in written order, and how the command is used. CLI11 lists every word after the
/// first wrong one, in reverse.
Error wrong_usage(const CLI::App &app, const CLI::ParseError &error, const HelpFormatter &help);

} // namespace kiln::tool
