// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Completion scripts of shells, from the tree of commands and options.
#pragma once

#include "command.h"

namespace kiln::tool {

/// Script for bash, zsh or fish. `app`: the program with the options of all commands.
std::string completion_script(const CLI::App &app, std::string_view shell);

/// Words that a value of this type may begin with: "cpu|cuda[:i]" gives cpu and cuda. Empty: the value is a
/// file, a number or a name.
std::vector<std::string> value_words(std::string_view type_name);

} // namespace kiln::tool
