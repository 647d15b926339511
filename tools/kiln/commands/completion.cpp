// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln completion: prints the completion script of a shell.
#include "../completion.h"
#include "../output.h"

namespace kiln::tool {

Action completion_command(CLI::App &app) {
  auto shell = std::make_shared<std::string>();
  CLI::Option *option = app.add_option("shell", *shell, "the shell")->required();
  allow_words(*option, {"bash", "zsh", "fish"});
  return [shell]() -> Result<void> {
    CLI::App program{"", "kiln"}; // gets the options of all commands, unlike the parser in main
    program.set_version_flag("--version", "");
    add_manner_to(program);
    const Action unused = add_commands(program, all_commands());
    return write_result({}, completion_script(program, *shell));
  };
}

} // namespace kiln::tool
