// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of the program kiln, such as `kiln compile`. commands.def lists the commands with their help
// texts, and commands/ implements each in one file. A command may have subcommands (kiln cache stat). The
// help, the man pages and the completion scripts are made from the list.
#pragma once

#include <kiln/result.h>

#include <CLI/CLI.hpp>

#include <functional>
#include <span>

namespace kiln::tool {

/// Function that runs a command after the command line is parsed. It owns the command's option values.
/// Returns the command's first error.
using Action = std::function<Result<void>()>;

/// One command of a table.
struct Command {
  const char *name;
  const char *group;   ///< the parent's help lists the command under this heading; empty: hides the command
  const char *about;   ///< description for the help: one line, then optional notes on further lines
  const char *usage;   ///< command lines with placeholders, one form per line
  const char *example; ///< a complete command line for the help; empty: no example
  /// Adds the command's options to `app` and returns the action that runs the command. `app` must outlive the
  /// action.
  Action (*add)(CLI::App &app);
};

/// Adds the commands to `app`. The returned action runs the one command that the parsed command line selects.
///
/// `words`: the command line. Only the commands that it names get their options, which saves 2 ms. Without
/// words, all commands get them.
Action add_commands(CLI::App &app, std::span<const Command> commands,
                    std::span<const std::string> words = {});

/// Exit status of the process if no command fails: 0, unless a command assigns another value.
int &exit_status();
inline constexpr int regression_found = 5;
inline constexpr int interrupted_status = 130; ///< exit status after Ctrl-C: 128 + SIGINT

/// The program's own commands.
std::span<const Command> all_commands();

/// Restricts the values of an option to `words`. The help and the completion scripts list the words.
void allow_words(CLI::Option &option, std::vector<std::string> words);

/// Adds the flag --json, which sets `json`.
void add_json_to(CLI::App &app, bool &json);

} // namespace kiln::tool
