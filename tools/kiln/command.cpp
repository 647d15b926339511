// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.h"

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

/// The option of `app` or of the command that was taken which begins as `word` does.
static std::string option_like(const CLI::App &app, const std::string &word) {
  std::string alike;
  size_t most = 3; // two dashes and two letters say something
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames()) {
      const std::string whole = "--" + name;
      const auto end = std::mismatch(whole.begin(), whole.end(), word.begin(), word.end()).first;
      const auto alike_letters = size_t(end - whole.begin());
      if (alike_letters <= most || 2 * alike_letters <= std::min(whole.size(), word.size())) continue;
      most = alike_letters;
      alike = whole;
    }
  for (const CLI::App *command : app.get_subcommands())
    if (alike.empty()) alike = option_like(*command, word);
  return alike;
}

std::string message_of(const CLI::App &app, const CLI::ParseError &error) {
  const std::vector<std::string> extra = app.remaining(true);
  if (!dynamic_cast<const CLI::ExtrasError *>(&error) || extra.empty()) return error.what();
  const std::string &first = extra.front();
  if (!first.starts_with("-")) return fmt::format("`{}` was not expected", first);
  const std::string alike = option_like(app, first);
  return fmt::format("there is no option {}{}", first,
                     alike.empty() ? "" : fmt::format("; did you mean {}?", alike));
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
