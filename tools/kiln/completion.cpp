// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "completion.h"

#include <fmt/ranges.h>

namespace kiln::tool {

namespace {

struct OptionWords {
  std::vector<std::string> spellings; ///< "-o", "--output"
  std::string about;
  bool takes_value = false;
  std::vector<std::string> values;
};

struct CommandWords {
  std::string path; ///< "kiln cache stat"
  std::string about;
  std::vector<OptionWords> options;
  std::vector<std::string> values; ///< words that positional arguments may have
  std::vector<const CLI::App *> commands;
};

std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

/// Appends `app` and its subcommands, recursively, to `all`. Hidden commands are left out. `parent`: path of
/// the parent command, with a space at its end.
void collect(const CLI::App &app, const std::string &parent, std::vector<CommandWords> &all) {
  CommandWords command{parent + app.get_name(), first_line(app.get_description()), {}, {}, {}};
  for (const CLI::Option *option : app.get_options()) {
    const std::vector<std::string> values = value_words(option->get_type_name());
    if (option->get_positional()) command.values.insert(command.values.end(), values.begin(), values.end());
    if (!option->nonpositional()) continue;
    OptionWords words{{}, first_line(option->get_description()), option->get_type_size() != 0, values};
    for (const std::string &name : option->get_snames()) words.spellings.push_back("-" + name);
    for (const std::string &name : option->get_lnames()) words.spellings.push_back("--" + name);
    command.options.push_back(std::move(words));
  }
  command.commands = app.get_subcommands([](const CLI::App *each) { return !each->get_group().empty(); });
  all.push_back(command);
  for (const CLI::App *each : command.commands) collect(*each, command.path + " ", all);
}

std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Returns the paths of all commands, such as 'kiln cache stat', as one pattern of the shell's `case`.
std::string path_patterns(const std::vector<CommandWords> &all) {
  std::vector<std::string> paths;
  for (const CommandWords &command : all)
    if (&command != &all[0]) paths.push_back(shell_quoted(command.path));
  return fmt::format("{}", fmt::join(paths, " | "));
}

/// Returns a command's options as words for the bash script: `--quiet` is a flag, `-o=` takes any value, and
/// `--color=auto|always` takes one of the listed values.
std::string bash_words(const CommandWords &command) {
  std::vector<std::string> words;
  for (const OptionWords &option : command.options)
    for (const std::string &spelling : option.spellings)
      words.push_back(option.takes_value ? fmt::format("{}={}", spelling, fmt::join(option.values, "|"))
                                         : spelling);
  return fmt::format("{}", fmt::join(words, " "));
}

std::string bash_script(const std::vector<CommandWords> &all) {
  std::string cases;
  for (const CommandWords &command : all) {
    std::vector<std::string> words = command.values;
    for (const CLI::App *each : command.commands) words.push_back(each->get_name());
    cases += fmt::format("    {})\n      words={}\n      options={}\n      ;;\n", shell_quoted(command.path),
                         shell_quoted(fmt::format("{}", fmt::join(words, " "))),
                         shell_quoted(bash_words(command)));
  }
  return fmt::format(R"sh(# Completion of kiln for bash, by `kiln completion bash`.
_kiln() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command=kiln words= options= values= option i
  if [[ $word == '=' ]]; then
    word=
  elif [[ $before == '=' ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${{COMP_WORDS[i]}}" in
      {}) command+=" ${{COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command" in
{}  esac
  COMPREPLY=()
  for option in $options; do
    if [[ $option == "$before="* ]]; then
      values=${{option#*=}}
      COMPREPLY=($(compgen -W "${{values//|/ }}" -- "$word"))
      return
    fi
  done
  if [[ $word == -* ]]; then
    for option in $options; do
      [[ ${{option%%=*}} == "$word"* ]] && COMPREPLY+=("${{option%%=*}}")
    done
  else
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  fi
}}
complete -o default -F _kiln kiln
)sh",
                     path_patterns(all), cases);
}

/// Escapes text for specifications of zsh's _arguments and _describe.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_script(const std::vector<CommandWords> &all) {
  std::string cases;
  for (const CommandWords &command : all) {
    cases += fmt::format("    ({})\n      options=(\n", shell_quoted(command.path));
    for (const OptionWords &option : command.options)
      for (const std::string &spelling : option.spellings) {
        const std::string values = zsh_text(fmt::format("{}", fmt::join(option.values, " ")));
        const std::string value = !option.takes_value ? ""
                                  : values.empty()    ? ":value:_files"
                                                      : fmt::format(":value:({})", values);
        const char *joins = !option.takes_value ? "" : spelling.starts_with("--") ? "=" : "+";
        cases += fmt::format("        {}\n", shell_quoted(fmt::format("*{}{}[{}]{}", spelling, joins,
                                                                      zsh_text(option.about), value)));
      }
    cases += "      )\n      commands=(\n";
    for (const std::string &word : command.values) cases += fmt::format("        {}\n", shell_quoted(word));
    for (const CLI::App *each : command.commands)
      cases += fmt::format("        {}\n",
                           shell_quoted(fmt::format("{}:{}", each->get_name(),
                                                    zsh_text(first_line(each->get_description())))));
    cases += "      )\n      ;;\n";
  }
  return fmt::format(R"sh(#compdef kiln
# Completion of kiln for zsh, by `kiln completion zsh`.
_kiln() {{
  local command=kiln i
  local -a options commands
  for ((i = 2; i < CURRENT; i++)); do
    case "$command ${{words[i]}}" in
      ({}) command+=" ${{words[i]}}" ;;
    esac
  done
  case "$command" in
{}  esac
  if (( $#commands )) && [[ ${{words[CURRENT]}} != -* && ${{words[CURRENT - 1]}} != -* ]]; then
    _describe command commands
  else
    _arguments -s $options '*:file:_files'
  fi
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _kiln "$@"
else
  compdef _kiln kiln
fi
)sh",
                     path_patterns(all), cases);
}

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_script(const std::vector<CommandWords> &all) {
  std::string text = "# Completion of kiln for fish, by `kiln completion fish`.\n"
                     "function __kiln_command\n"
                     "  set -l command kiln\n"
                     "  for word in (commandline -opc)[2..]\n"
                     "    switch \"$command $word\"\n";
  std::vector<std::string> paths;
  for (const CommandWords &command : all)
    if (&command != &all[0]) paths.push_back(fish_text(command.path));
  text += fmt::format("      case {}\n        set command \"$command $word\"\n", fmt::join(paths, " "));
  text += "    end\n  end\n  test $command = \"$argv\"\nend\n";
  for (const CommandWords &command : all) {
    const std::string at = fmt::format("complete -c kiln -n {}", fish_text("__kiln_command " + command.path));
    for (const CLI::App *each : command.commands)
      text += fmt::format("{} -f -a {} -d {}\n", at, each->get_name(),
                          fish_text(first_line(each->get_description())));
    if (!command.values.empty())
      text += fmt::format("{} -f -a {}\n", at, fish_text(fmt::format("{}", fmt::join(command.values, " "))));
    for (const OptionWords &option : command.options) {
      text += at;
      for (const std::string &spelling : option.spellings)
        text += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
      if (option.takes_value)
        text += option.values.empty()
                    ? std::string(" -r")
                    : " -x -a " + fish_text(fmt::format("{}", fmt::join(option.values, " ")));
      text += fmt::format(" -d {}\n", fish_text(option.about));
    }
  }
  return text;
}

} // namespace

std::vector<std::string> value_words(std::string_view type_name) {
  std::vector<std::string> words;
  for (const std::string &form : CLI::detail::split(std::string(type_name), '|')) {
    const size_t end = form.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_:");
    if (const std::string word = form.substr(0, end); !word.empty() && word[0] != ':') words.push_back(word);
  }
  return words;
}

std::string completion_script(const CLI::App &app, std::string_view shell) {
  std::vector<CommandWords> all;
  collect(app, "", all);
  return shell == "bash" ? bash_script(all) : shell == "zsh" ? zsh_script(all) : fish_script(all);
}

} // namespace kiln::tool
