// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln script: runs a whole program.
#include "../arguments.h"
#include "../output.h"
#include "../program_host.h"

namespace kiln::tool {

namespace {

struct ScriptCommand {
  std::string file;
  std::vector<std::string> arguments;
  std::string device, test_log;
  CommonOptions common;
};

/// Notes options of `kiln script` that follow the program's name. They belong to the program; `--` before
/// them confirms that.
void note_own_options(const CLI::App &app, ScriptCommand &command) {
  std::vector<std::string> &words = command.arguments;
  if (!words.empty() && words[0] == "--") {
    words.erase(words.begin());
    return;
  }
  for (const std::string &word : words)
    if (word.starts_with("--") && app.get_option_no_throw(word.substr(0, word.find('='))))
      return note(fmt::format("{} goes to {}: options of kiln stand before the file", word, command.file));
}

Result<void> run(const ScriptCommand &command) {
  return with_program_session(command.common, [&](Session &session) -> Result<void> {
    KILN_TRY(std::unique_ptr<Program> program, make_program(session, command.arguments, command.device));
    const Interrupts interrupts(*program);
    const bool has_log = !command.test_log.empty();
    Result<Program::Outcome> outcome = Program::Outcome{};
    if (has_log)
      outcome = program->run_text("--test-log", "Base.Test.log_to(" + literal_of(command.test_log) + ");");
    if (outcome.ok()) outcome = program->run_file(command.file);
    if (outcome.ok() && !outcome->exited && has_log)
      outcome = program->run_text("--test-log", "Base.Test.failed_statements > 0 && exit(1);");
    if (!outcome.ok()) {
      write_error(program->describe(outcome.error(), wants_colour(STDERR_FILENO)));
      program->interrupt(); // nobody sees the tasks' results, so the exit does not wait for them
      const bool is_interrupted = outcome.error().code() == ErrorCode::InterruptException;
      exit_status() = is_interrupted ? interrupted_status : int(outcome.error().kind());
      return {};
    }
    exit_status() = outcome->status;
    return {};
  });
}

} // namespace

Action script_command(CLI::App &app) {
  auto command = std::make_shared<ScriptCommand>();
  app.add_option("file", command->file, "the program")->required();
  app.add_option("arguments", command->arguments, "ARGS of the program");
  add_program_device(app, command->device);
  app.add_option(
         "--test-log", command->test_log,
         "a file for the outcome of each test, as lines of JSON; statements that fail do not end the file")
      ->type_name("FILE");
  app.positionals_at_end();
  app.prefix_command();
  command->common.add_to(app);
  command->common.add_packages_to(app);
  return [command, &app] {
    for (const std::string &rest : app.remaining()) command->arguments.push_back(rest);
    note_own_options(app, *command);
    return run(*command);
  };
}

} // namespace kiln::tool
