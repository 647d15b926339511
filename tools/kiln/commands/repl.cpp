// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln repl: statements as they are typed.
#include "../program_host.h"

#include <unistd.h>

namespace kiln::tool {

namespace {

struct ReplCommand {
  CommonOptions common;
};

Result<void> run(const ReplCommand &command) {
  return with_session(command.common, [&](Session &session) -> Result<void> {
    KILN_TRY(std::unique_ptr<Program> program, make_program(session, {}));
    const bool prompts = ::isatty(STDIN_FILENO) != 0;
    Interrupts interrupts(*program);
    std::string text, line;
    for (int count = 1;;) {
      if (prompts) write_output(text.empty() ? "kiln> " : "      ");
      interrupts.begin();
      if (!read_line(line)) {
        if (!interrupts.taken()) break;
        if (prompts) write_output("\n");
        text.clear();
        continue;
      }
      text += line + "\n";
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        text.clear();
        continue;
      }
      if (!program->is_complete(text)) continue;
      std::string shown;
      auto outcome = program->run_text(fmt::format("REPL[{}]", count++), std::exchange(text, {}), &shown);
      if (!outcome.ok()) {
        write_error(program->describe(outcome.error()));
        continue;
      }
      if (outcome->exited) {
        exit_status() = outcome->status;
        return {};
      }
      if (!shown.empty()) write_output(shown + "\n");
      if (prompts) write_output("\n");
    }
    return {};
  });
}

} // namespace

Action repl_command(CLI::App &app) {
  auto command = std::make_shared<ReplCommand>();
  command->common.add_to(app);
  command->common.add_packages_to(app);
  return [command] { return run(*command); };
}

} // namespace kiln::tool
