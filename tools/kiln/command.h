// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command is: a name, what it is for, and a function that adds its options and tells what runs it. The
// program's commands stand in commands.def, one file each in commands/; a command may have commands of its
// own (kiln cache stat).
#pragma once

#include <kiln/result.h>

#include <CLI/CLI.hpp>

#include <functional>
#include <span>

namespace kiln::tool {

/// Runs a command whose options are parsed. It owns them. Gives the first error it met.
using Action = std::function<Result<void>()>;

/// One command of a table.
struct Command {
  const char *name, *about;
  /// Adds the command's options to `app`, which outlives the action.
  Action (*add)(CLI::App &app);
};

/// Adds the commands to `app`, of which a command line takes exactly one; the action runs the one it took.
/// `chosen`: the command line's first word. If it names a command the others are added without their options,
/// which would take 2 ms.
Action add_commands(CLI::App &app, std::span<const Command> commands, std::string_view chosen = {});

/// What the program ends with where no command failed: 0, unless a command says `regression_found`.
int &exit_status();
inline constexpr int regression_found = 5;

/// What a command line has that it may not have, in the order it was written: CLI11 lists every word behind
/// the first one, the last first.
std::string message_of(const CLI::App &app, const CLI::ParseError &error);

/// The program's own commands.
std::span<const Command> all_commands();

} // namespace kiln::tool
