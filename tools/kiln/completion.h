// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes completion scripts for shells from the program's commands and options.
#pragma once

#include "command.h"

namespace kiln::tool {

/// Returns the completion script for `shell`: bash, zsh or fish. `app`: the program with all commands and
/// their options.
std::string completion_script(const CLI::App &app, std::string_view shell);

/// Returns the words that an option's value may begin with, from the option's `type_name` in the help:
/// "cpu|cuda[:i]" gives cpu and cuda. Empty, if the value is a file, a number or a name.
std::vector<std::string> value_words(std::string_view type_name);

} // namespace kiln::tool
