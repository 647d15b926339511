// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.h"

#include <algorithm>

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
