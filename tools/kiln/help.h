// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats the --help texts of the program and its commands from the list in commands.def.
#pragma once

#include "command.h"

#include <map>

namespace kiln::tool {

/// CLI11 formatter that takes usage and example from Command. In lists of commands, it shows only the first
/// line of each description.
class HelpFormatter final : public CLI::Formatter {
public:
  HelpFormatter();
  /// `command` must outlive the help.
  void add(const CLI::App &app, const Command &command) { commands_[&app] = &command; }
  /// Returns the first line of a command's usage. Empty, if `app` was not added.
  std::string first_form(const CLI::App &app) const;
  std::string make_usage(const CLI::App *app, std::string name) const override;
  std::string make_subcommand(const CLI::App *app) const override;
  std::string make_footer(const CLI::App *app) const override;

private:
  std::map<const CLI::App *, const Command *> commands_;
};

} // namespace kiln::tool
