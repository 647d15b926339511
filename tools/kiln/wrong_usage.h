// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the error messages for wrong command lines, instead of CLI11's own messages.
#pragma once

#include "help.h"

namespace kiln::tool {

/// Returns an error if the first word of the command line is no command. CLI11's message would only say that
/// a command is missing.
Result<void> check_command(const CLI::App &app, std::span<const std::string> words);

/// Makes an error of CLI11's parse error. The message names the first wrong word, and the hint shows the
/// command's usage. CLI11's own message lists all words after the first wrong one, in reverse.
Error wrong_usage(const CLI::App &app, const CLI::ParseError &error, const HelpFormatter &help);

} // namespace kiln::tool
