// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of the program. A command is a row of a table and a function that adds its options and returns its
// action. commands.def lists the commands, and commands/ has one file for each. A command may have
// subcommands (kiln cache stat). The help, the man pages and the completion scripts come from the rows.
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
  const char *name;
  const char *group;   ///< heading in the help of its parent; empty: hidden
  const char *about;   ///< one line; notes may follow on further lines
  const char *usage;   ///< a form per line
  const char *example; ///< a command line; empty: none
  /// Adds the command's options to `app`, which outlives the action.
  Action (*add)(CLI::App &app);
};

/// Adds the commands to `app`. A command line selects exactly one, and the returned action runs it.
///
/// `chosen`: the command line's first word. If it names a command, the other commands get no options, which
/// saves 2 ms.
Action add_commands(CLI::App &app, std::span<const Command> commands, std::string_view chosen = {});

/// The exit status if no command failed: 0, or what a command sets.
int &exit_status();
inline constexpr int regression_found = 5;
inline constexpr int interrupted_status = 130; ///< by Ctrl-C, as shells report it

/// The program's own commands.
std::span<const Command> all_commands();

/// Restricts an option to these words. Help and completion show them.
void allow_words(CLI::Option &option, std::vector<std::string> words);

} // namespace kiln::tool
