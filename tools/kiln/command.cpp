// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command.h"

#include "help.h"

#include <support/support.h>

#include <algorithm>
#include <fmt/ranges.h>

namespace kiln::tool {

#define KILN_COMMAND(name, group, about, usage, example) Action name##_command(CLI::App &app);
#include "commands.def"
#undef KILN_COMMAND

std::span<const Command> all_commands() {
  static constexpr Command commands[] = {
#define KILN_COMMAND(name, group, about, usage, example)                                                     \
  {#name, group, about, usage, example, name##_command},
#include "commands.def"
#undef KILN_COMMAND
  };
  return commands;
}

int &exit_status() {
  static int status = 0;
  return status;
}

void allow_words(CLI::Option &option, std::vector<std::string> words) {
  option.type_name(fmt::format("{}", fmt::join(words, "|")));
  option.check(CLI::Validator(
      [words = std::move(words)](const std::string &word) {
        if (std::ranges::find(words, word) != words.end()) return std::string();
        const std::string last = words.back();
        return fmt::format("takes {} or {}, not `{}`", fmt::join(words.begin(), words.end() - 1, ", "), last,
                           word);
      },
      ""));
}

Action add_commands(CLI::App &app, std::span<const Command> commands, std::span<const std::string> words) {
  app.require_subcommand(1);
  auto help = std::dynamic_pointer_cast<HelpFormatter>(app.get_formatter());
  auto is_named = [&](const Command &command) {
    return std::ranges::find(words, command.name) != words.end();
  };
  // An unknown first word may be a subcommand, which the error message then finds.
  const bool adds_all =
      words.empty() || (!words[0].starts_with('-') && std::ranges::none_of(commands, is_named));
  std::vector<std::pair<const CLI::App *, Action>> added;
  for (const Command &command : commands) {
    CLI::App *own = app.add_subcommand(command.name, command.about)->group(command.group);
    if (help) help->add(*own, command);
    if (adds_all || is_named(command)) added.emplace_back(own, command.add(*own));
  }
  return [added = std::move(added)]() -> Result<void> {
    for (const auto &[command, action] : added)
      if (command->parsed()) return action();
    return internal_error("a command line without a command was parsed");
  };
}

void add_json_to(CLI::App &app, bool &json) {
  app.add_flag("--json", json, "print the result as one JSON object");
}

} // namespace kiln::tool
