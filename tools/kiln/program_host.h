// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that the command line runs meets: the process's streams.
#pragma once

#include "command.h"
#include "with_session.h"

#include <kiln/program.h>

namespace kiln::tool {

void write_output(std::string_view text);
void write_error(std::string_view text); ///< with an end of line
Result<std::unique_ptr<Program>> make_program(Session &session, std::vector<std::string> arguments,
                                              std::string device = {});

} // namespace kiln::tool
