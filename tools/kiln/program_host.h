// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standard streams and Ctrl-C of programs that the command line runs.
#pragma once

#include "command.h"
#include "output.h"
#include "with_session.h"

#include <kiln/program.h>

namespace kiln::tool {

void write_error(std::string_view text); ///< adds an end of line
bool read_line(std::string &line);       ///< from standard input; false at its end and after Ctrl-C
/// As with_session, for commands that run programs.
Result<void> with_program_session(const CommonOptions &common, const SessionBody &body);
void add_program_device(CLI::App &app, std::string &device); ///< --device
Result<std::unique_ptr<Program>> make_program(Session &session, std::vector<std::string> arguments,
                                              std::string device = {});

/// While it exists, Ctrl-C raises InterruptException in the program. A second Ctrl-C before the exception is
/// thrown ends the process. Create it on the thread that runs the program.
class Interrupts {
public:
  explicit Interrupts(Program &program);
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;
  void begin();       ///< call it before each statement
  bool taken() const; ///< a signal came since begin()
};

} // namespace kiln::tool
