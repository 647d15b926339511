// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wrong_usage.h"

#include <job/job.h>

#include <algorithm>
#include <fmt/ranges.h>

namespace kiln::tool {

namespace {

/// Returns a command's path, such as "kiln cache stat".
std::string path_of(const CLI::App &app) {
  return app.get_parent() ? fmt::format("{} {}", path_of(*app.get_parent()), app.get_name()) : app.get_name();
}

/// Returns the names of the subcommands of `app` that its help lists.
std::vector<std::string> command_names(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *each :
       app.get_subcommands([](const CLI::App *command) { return !command->get_group().empty(); }))
    names.push_back(each->get_name());
  return names;
}

/// Lists subcommands for a hint: "there are stat, ls; kiln cache --help describes them".
std::string list_of_commands(const CLI::App &app) {
  return fmt::format("there are {}; {} --help describes them", fmt::join(command_names(app), ", "),
                     path_of(app));
}

/// Guesses the command that the user meant by the unknown word `given`: a similar name, a common synonym
/// (`list` for `ls`), a subcommand, or the command for a .jl file. Empty, if there is no guess.
std::string meant_by(const CLI::App &app, const std::string &given) {
  const std::vector<std::string> names = command_names(app);
  const std::string word = given == "list" ? "ls" : given;
  if (std::ranges::find(names, word) != names.end()) return word;
  if (word == "version") return "--version";
  if (word.ends_with(".jl"))
    return fmt::format("kiln script {0} for a program, kiln run {0} f --arg EXPR ... for a kernel", word);
  for (const CLI::App *group : app.get_subcommands([](const CLI::App *) { return true; }))
    for (const std::string &name : command_names(*group))
      if (name == word) return fmt::format("{} {}", path_of(*group), name);
  return similar_name(given, names);
}

/// Appends long option names to `names`: those of `app` and of the commands that the command line selects.
void add_option_names(const CLI::App &app, std::vector<std::string> &names) {
  for (const CLI::Option *option : app.get_options())
    names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
  for (const CLI::App *command : app.get_subcommands()) add_option_names(*command, names);
}

std::string wrong_word(const CLI::App &app, const std::string &word) {
  if (!word.starts_with("-")) return fmt::format("`{}` was not expected", word);
  std::vector<std::string> names;
  add_option_names(app, names);
  const size_t begin = std::min(word.find_first_not_of('-'), word.size());
  const std::string plain = word.substr(begin, word.find('=') - begin);
  if (std::ranges::find(names, plain) != names.end() && word.starts_with("--"))
    return fmt::format("--{} belongs to a command, and stands after its name", plain);
  if (!word.starts_with("--") && plain.size() > 1)
    if (const std::string meant = similar_name(plain, names);
        !meant.empty() || std::ranges::find(names, plain) != names.end())
      return fmt::format("there is no option -{}; did you mean --{}?", plain, meant.empty() ? plain : meant);
  const std::string shown = word.starts_with("--") ? plain : plain.substr(0, 1);
  return unknown_option(shown, OptionDoor::CommandLine, names);
}

std::string message_of(const CLI::App &app, const CLI::App &command, const CLI::ParseError &error) {
  const std::vector<std::string> extra = app.remaining(true);
  if (dynamic_cast<const CLI::ExtrasError *>(&error) && !extra.empty()) return wrong_word(app, extra.front());
  const bool lacks_command = dynamic_cast<const CLI::RequiredError *>(&error) &&
                             command.get_require_subcommand_min() > 0 && command.get_subcommands().empty();
  if (lacks_command) return fmt::format("{} needs a command", path_of(command));
  if (dynamic_cast<const CLI::ArgumentMismatch *>(&error))
    for (const CLI::Option *option : command.get_options())
      if (option->nonpositional() && std::string(error.what()).starts_with(option->get_name() + ":"))
        return fmt::format("{} needs a value: {}", option->get_name(), option->get_type_name());
  return error.what();
}

} // namespace

Result<void> check_command(const CLI::App &app, std::span<const std::string> words) {
  const auto commands = app.get_subcommands([](const CLI::App *) { return true; });
  if (words.empty() || words[0].starts_with('-') || commands.empty()) return {};
  for (const CLI::App *command : commands)
    if (command->get_name() == words[0]) return check_command(*command, words.subspan(1));
  const std::string meant = meant_by(app, words[0]);
  Diagnostic d{.code = ErrorCode::Usage,
               .message = fmt::format("{} has no command `{}`", path_of(app), words[0])};
  d.hint = fmt::format("{}{}", meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                       list_of_commands(app));
  return Error(std::move(d));
}

Error wrong_usage(const CLI::App &app, const CLI::ParseError &error, const HelpFormatter &help) {
  const CLI::App *command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  Diagnostic d{.code = ErrorCode::Usage, .message = message_of(app, *command, error)};
  const std::string form = help.first_form(*command);
  d.hint =
      command->get_require_subcommand_min() > 0
          ? list_of_commands(*command)
          : fmt::format("{}{} --help lists the options", form.empty() ? "" : form + "; ", path_of(*command));
  return Error(std::move(d));
}

} // namespace kiln::tool
