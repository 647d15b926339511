// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.h"

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

Action add_commands(CLI::App &app, std::span<const Command> commands) {
  app.require_subcommand(1);
  std::vector<std::pair<const CLI::App *, Action>> added;
  for (const Command &command : commands) {
    CLI::App *own = app.add_subcommand(command.name, command.about);
    added.emplace_back(own, command.add(*own));
  }
  return [added = std::move(added)]() -> Result<void> {
    for (const auto &[command, action] : added)
      if (command->parsed()) return action();
    return internal_error("a command line without a command was parsed");
  };
}

} // namespace kiln::tool
