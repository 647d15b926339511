// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln repl: evaluates statements interactively.
#include "../arguments.h"
#include "../line_editor.h"
#include "../program_host.h"

#include <kiln/version.h>

#include <unistd.h>

namespace kiln::tool {

namespace {

struct ReplCommand {
  std::string device;
  CommonOptions common;
};

/// The device of CuArrays (ProgramOptions::device).
Result<Device> device_of(Session &session, const std::string &name) {
  if (name.empty()) {
    const auto gpus = session.gpus();
    return gpus.ok() && !gpus->empty() ? session.gpu(0) : session.cpu();
  }
  return session.device(name);
}

Result<void> greet(Session &session, const std::string &device_name) {
  KILN_TRY(const Device device, device_of(session, device_name));
  const GpuInfo &info = device.info();
  const std::string detail = device.kind() == DeviceKind::Cuda ? fmt::format("sm_{}", info.sm)
                             : device.kind() == DeviceKind::Cpu
                                 ? fmt::format("{} threads", info.multiprocessors)
                                 : info.driver;
  write_output(fmt::format("Kiln {}: Julia programs and kernels. Device: {} ({}).\n"
                           "?name shows help; exit() or Ctrl-D leaves.\n\n",
                           KILN_VERSION, info.name, detail));
  return {};
}

/// One character that begins a line switches Julia's prompt to another mode. Answers such a line; false: it
/// is a statement.
bool answer_mode(Program &program, std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  const char first = begin == line.npos ? '\0' : line[begin];
  if (first == '?') {
    const std::string code = "Base.__help(" + literal_of(line.substr(begin + 1)) + ");";
    if (auto done = program.run_text("help", code); !done.ok())
      write_error(program.describe(done.error(), wants_colour(STDERR_FILENO)));
    return true;
  }
  if (first == ';') {
    report(input_error("the prompt has no shell mode", {}, "run the command in another terminal"));
    return true;
  }
  if (first == ']') {
    report(input_error("the prompt has no package mode: Kiln installs no packages", {},
                       "`using P` loads a package that Pkg has installed: start `kiln repl --project DIR`"));
    return true;
  }
  return false;
}

/// Reads and runs statements until the input ends or the program exits.
Result<void> run_statements(Session &session, Program &program, Interrupts &interrupts, LineEditor &lines) {
  auto read = [&](const char *prompt) {
    const TimingScope waiting = session.time("wait for input");
    return lines.read(prompt);
  };
  std::string text;
  for (int count = 1;;) {
    interrupts.begin();
    const std::optional<std::string> line = read(text.empty() ? "kiln> " : "      ");
    if (!line) {
      if (lines.is_terminal()) write_output("\n");
      if (interrupts.taken()) {
        text.clear();
        continue;
      }
      // The input ended inside a statement: running it reports the syntax error.
      if (!text.empty())
        if (auto done = program.run_text(fmt::format("REPL[{}]", count), text); !done.ok())
          write_error(program.describe(done.error(), wants_colour(STDERR_FILENO)));
      return {};
    }
    const bool is_answered = text.empty() && answer_mode(program, *line);
    if (!is_answered) {
      text += *line + "\n";
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        text.clear();
        continue;
      }
      if (!program.is_complete(text)) continue;
      std::string shown;
      auto outcome = program.run_text(fmt::format("REPL[{}]", count++), std::exchange(text, {}), &shown);
      if (!outcome.ok()) {
        write_error(program.describe(outcome.error(), wants_colour(STDERR_FILENO)));
      } else if (outcome->exited) {
        exit_status() = outcome->status;
        return {};
      } else if (!shown.empty()) {
        write_output(shown + "\n");
      }
    }
    if (lines.is_terminal()) write_output("\n");
  }
}

Result<void> run(const ReplCommand &command) {
  return with_program_session(command.common, [&](Session &session) -> Result<void> {
    KILN_TRY(std::unique_ptr<Program> program, make_program(session, {}, command.device));
    Interrupts interrupts(*program);
    LineEditor lines(history_file(), interrupts,
                     [&](std::string_view text) { return program->completions(text); });
    if (lines.is_terminal() && !manner().quiet) KILN_CHECK(greet(session, command.device));
    return run_statements(session, *program, interrupts, lines);
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
