// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program kiln: its command line and exit statuses. 0 done, 1 the input is wrong, 2 wrong usage, 3
// something of the machine is missing, 4 Kiln's own fault, 5 a comparison found a regression.
#include "command.h"
#include "output.h"
#include "process_clock.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/ranges.h>
#include <kiln/version.h>
#include <new>
#include <sstream>
#include <support/descriptor.h>

namespace kiln::tool {

namespace {

/// `--timings` may stand alone, which CLI11 would take for an option with the next word as its value.
std::vector<std::string> reversed_words(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::string &word : words)
    if (word == "--timings") word = "--timings=table";
  std::reverse(words.begin(), words.end()); // as CLI11 wants them
  return words;
}

/// A word in the place of a command that is none. CLI11 would only say that a command is missing.
Result<void> check_command(const CLI::App &app, std::string_view word) {
  if (word.starts_with('-')) return {};
  auto sorted = [](std::string_view text) {
    std::string letters(text);
    std::sort(letters.begin(), letters.end());
    return letters;
  };
  std::vector<std::string> names;
  std::string meant;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
    const std::string &name = command->get_name();
    if (name == word) return {};
    if (command->get_group().empty()) continue; // which --help does not show either
    const size_t alike =
        size_t(std::mismatch(name.begin(), name.end(), word.begin(), word.end()).first - name.begin());
    if (alike >= std::min<size_t>(3, name.size()) || sorted(name) == sorted(word)) meant = name;
    names.push_back(name);
  }
  Diagnostic d{.code = ErrorCode::Usage, .message = fmt::format("kiln has no command `{}`", word)};
  d.hint = fmt::format("{}there are {}; kiln --help tells what they do",
                       meant.empty() ? "" : fmt::format("did you mean {}? ", meant), fmt::join(names, ", "));
  return Error(std::move(d));
}

int main(int argc, char **argv) {
  set_hint_door(HintDoor::Program);
  CLI::App app{"Kiln compiles kernels for CPUs and NVIDIA GPUs, and runs them.", "kiln"};
  app.set_version_flag("--version", fmt::format("kiln {} (LLVM {})", KILN_VERSION, KILN_LLVM_VERSION));
  const Action action = add_commands(app, all_commands(), argc > 1 ? argv[1] : "");
  if (argc > 1)
    if (Result<void> known = check_command(app, argv[1]); !known.ok()) return report(known.error());
  try {
    app.parse(reversed_words(argc, argv));
  } catch (const CLI::Success &wanted) { // --help, --version
    std::ostringstream text;
    const int status = app.exit(wanted, text, text);
    write_output(text.str());
    return status;
  } catch (const CLI::ParseError &e) {
    std::string_view command;
    for (const CLI::App *parsed : app.get_subcommands()) command = parsed->get_name();
    Diagnostic d{.code = ErrorCode::Usage, .message = message_of(app, e)};
    d.hint =
        fmt::format("kiln {}--help tells what there is", command.empty() ? "" : fmt::format("{} ", command));
    return report(Error(std::move(d)));
  }
  Result<void> done = action();
  return done.ok() ? exit_status() : report(done.error());
}

} // namespace

} // namespace kiln::tool

/// Leaves without taking apart what the process holds: that would be a tenth of a short run. Results are on
/// disk by now (write_result), and what the streams still hold is written here.
[[noreturn]] static void leave(int status) { std::_Exit(kiln::tool::finish_output(status)); }

static int guarded_main(int argc, char **argv) {
  using namespace kiln;
  try {
    return tool::main(argc, argv);
  } catch (const std::bad_alloc &) {
    return tool::report(Error(ErrorCode::OutOfMemory, "out of memory"));
  } catch (const std::exception &e) {
    return tool::report(internal_error(fmt::format("an exception reached main: {}", e.what())));
  }
}

int main(int argc, char **argv) {
  kiln::tool::note_main_began();
  kiln::reserve_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of its write
  leave(guarded_main(argc, argv));
}
