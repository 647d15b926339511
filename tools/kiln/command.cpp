// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.h"

#include <job/job.h>

#include <algorithm>
#include <fmt/format.h>

namespace kiln::tool {

#define KILN_COMMAND(name, about) Action name##_command(CLI::App &app);
#include "commands.def"
#undef KILN_COMMAND

std::span<const Command> all_commands() {
  static constexpr Command commands[] = {
#define KILN_COMMAND(name, about) {#name, about, name##_command},
#include "commands.def"
#undef KILN_COMMAND
  };
  return commands;
}

int &exit_status() {
  static int status = 0;
  return status;
}

/// Collects the long option names of `app` and of the chosen command.
static void add_option_names(const CLI::App &app, std::vector<std::string> &names) {
  for (const CLI::Option *option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  for (const CLI::App *command : app.get_subcommands()) add_option_names(*command, names);
}

std::string message_of(const CLI::App &app, const CLI::ParseError &error) {
  const std::vector<std::string> extra = app.remaining(true);
  if (!dynamic_cast<const CLI::ExtrasError *>(&error) || extra.empty()) return error.what();
  const std::string &first = extra.front();
  if (!first.starts_with("-")) return fmt::format("`{}` was not expected", first);
  std::vector<std::string> names;
  add_option_names(app, names);
  const std::string name =
      first.starts_with("--") ? first.substr(2, first.find('=') - 2) : first.substr(1, 1);
  return unknown_option(name, OptionDoor::CommandLine, names);
}

Action add_commands(CLI::App &app, std::span<const Command> commands, std::string_view chosen) {
  app.require_subcommand(1);
  const bool is_known =
      std::ranges::any_of(commands, [&](const Command &command) { return command.name == chosen; });
  std::vector<std::pair<const CLI::App *, Action>> added;
  for (const Command &command : commands) {
    CLI::App *own = app.add_subcommand(command.name, command.about);
    if (!is_known || command.name == chosen) added.emplace_back(own, command.add(*own));
  }
  return [added = std::move(added)]() -> Result<void> {
    for (const auto &[command, action] : added)
      if (command->parsed()) return action();
    return internal_error("a command line without a command was parsed");
  };
}

} // namespace kiln::tool
