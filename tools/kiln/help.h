// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Help of the program and of its commands, from their rows.
#pragma once

#include "command.h"

#include <map>

namespace kiln::tool {

/// Prints usage and example from the command's row. Lists of commands show the first line of their
/// description.
class HelpFormatter final : public CLI::Formatter {
public:
  HelpFormatter();
  /// `command` must outlive the help.
  void add(const CLI::App &app, const Command &command) { commands_[&app] = &command; }
  /// First form of a command's usage. Empty: unknown.
  std::string first_form(const CLI::App &app) const;
  std::string make_usage(const CLI::App *app, std::string name) const override;
  std::string make_subcommand(const CLI::App *app) const override;
  std::string make_footer(const CLI::App *app) const override;

private:
  std::map<const CLI::App *, const Command *> commands_;
};

} // namespace kiln::tool
