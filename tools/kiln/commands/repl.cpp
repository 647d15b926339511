// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln repl: evaluates statements interactively.
#include "../line_editor.h"
#include "../program_host.h"

namespace kiln::tool {

namespace {

struct ReplCommand {
  std::string device;
  CommonOptions common;
};

Result<void> run(const ReplCommand &command) {
  return with_program_session(command.common, [&](Session &session) -> Result<void> {
    KILN_TRY(std::unique_ptr<Program> program, make_program(session, {}, command.device));
    Interrupts interrupts(*program);
    LineEditor lines(history_file(), interrupts,
                     [&](std::string_view text) { return program->completions(text); });
    std::string text;
    for (int count = 1;;) {
      interrupts.begin();
      const std::optional<std::string> line = lines.read(text.empty() ? "kiln> " : "      ");
      if (!line) {
        if (lines.is_terminal()) write_output("\n");
        if (!interrupts.taken()) break;
        text.clear();
        continue;
      }
      text += *line + "\n";
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        text.clear();
        continue;
      }
      if (!program->is_complete(text)) continue;
      std::string shown;
      auto outcome = program->run_text(fmt::format("REPL[{}]", count++), std::exchange(text, {}), &shown);
      if (!outcome.ok()) {
        write_error(program->describe(outcome.error()));
        if (lines.is_terminal()) write_output("\n");
        continue;
      }
      if (outcome->exited) {
        exit_status() = outcome->status;
        return {};
      }
      if (!shown.empty()) write_output(shown + "\n");
      if (lines.is_terminal()) write_output("\n");
    }
    return {};
  });
}

} // namespace

Action repl_command(CLI::App &app) {
  auto command = std::make_shared<ReplCommand>();
  add_program_device(app, command->device);
  command->common.add_to(app);
  command->common.add_packages_to(app);
  return [command] { return run(*command); };
}

} // namespace kiln::tool
