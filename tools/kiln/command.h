// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of the program. A command is a name, a description, and a function that adds its options and
// returns its action. commands.def lists the commands, and commands/ has one file for each. A command may
// have subcommands (kiln cache stat).
#pragma once

#include <kiln/result.h>

#include <CLI/CLI.hpp>

#include <functional>
#include <span>

namespace kiln::tool {

/// Runs a command whose options are parsed, and owns them. Returns the first error.
using Action = std::function<Result<void>()>;

/// One command of a table.
struct Command {
  const char *name, *about;
  /// Adds the command's options to `app`, which outlives the action.
  Action (*add)(CLI::App &app);
};

/// Adds the commands to `app`. A command line selects exactly one, and the returned action runs it.
///
/// `chosen`: the command line's first word. If it names a command, the other commands get no options, which
/// saves 2 ms.
Action add_commands(CLI::App &app, std::span<const Command> commands, std::string_view chosen = {});

/// The exit status if no command failed: 0, or `regression_found` if a command sets it.
int &exit_status();
inline constexpr int regression_found = 5;

/// Describes the wrong words of a command line in written order. CLI11 lists every word after the first wrong
/// one, in reverse.
std::string message_of(const CLI::App &app, const CLI::ParseError &error);

/// The program's own commands.
std::span<const Command> all_commands();

} // namespace kiln::tool
