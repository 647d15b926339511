// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that the command line runs meets: the process's streams.
#pragma once

#include "command.h"
#include "output.h"
#include "with_session.h"

#include <kiln/program.h>

namespace kiln::tool {

void write_error(std::string_view text); ///< with an end of line
bool read_line(std::string &line);       ///< of standard input; false: its end, or Ctrl-C
/// with_session, for commands that run programs.
Result<void> with_program_session(const CommonOptions &common, const SessionBody &body);
void add_program_device(CLI::App &app, std::string &device); ///< --device
Result<std::unique_ptr<Program>> make_program(Session &session, std::vector<std::string> arguments,
                                              std::string device = {});

/// The status of what Ctrl-C ended, as a shell has it.
inline constexpr int interrupted_status = 130;

/// While it lives, Ctrl-C raises InterruptException in the program. A second one before the program has
/// thrown it ends the process. The thread that makes it runs the program.
class Interrupts {
public:
  explicit Interrupts(Program &program);
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;
  void begin();       ///< of a statement
  bool taken() const; ///< since then
};

} // namespace kiln::tool
