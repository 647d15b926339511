// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program kiln: its command line and exit statuses:
// 0 success
// 1 wrong input
// 2 wrong usage
// 3 something missing on the machine
// 4 Kiln's own fault
// 5 a comparison found a regression
#include "command.h"
#include "options.h"
#include "output.h"
#include "process_clock.h"
#include "wrong_usage.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/ranges.h>
#include <kiln/opencl.h>
#include <kiln/version.h>
#include <new>
#include <sstream>
#include <support/descriptor.h>

namespace kiln::tool {

namespace {

/// Rewrites the command line for CLI11. `help X` becomes `X --help`. The word after `--timings` becomes its
/// value only if it is a form such as json; CLI11 would take any word.
std::vector<std::string> words_of(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
  }
  for (size_t i = 0; i < words.size(); i++) {
    if (words[i] != "--timings") continue;
    const bool has_form = i + 1 < words.size() && !read_timing_form(words[i + 1]).form.empty();
    words[i] = fmt::format("--timings={}", has_form ? words[i + 1] : "table");
    if (has_form) words.erase(words.begin() + long(i) + 1);
  }
  return words;
}

int main(int argc, char **argv) {
  set_hint_door(HintDoor::Program);
  static constexpr Command program{"kiln", "", "", "kiln COMMAND [OPTIONS]\nkiln help COMMAND", "", nullptr};
  CLI::App app{"Kiln compiles kernels for CPUs and NVIDIA GPUs, and runs them.", program.name};
  const auto help = std::make_shared<HelpFormatter>();
  help->add(app, program);
  app.formatter(help);
  app.set_version_flag("--version", fmt::format("kiln {} (LLVM {})", KILN_VERSION, KILN_LLVM_VERSION));
  add_manner_to(app);
  std::vector<std::string> words = words_of(argc, argv);
  const Action action = add_commands(app, all_commands(), words);
  if (Result<void> known = check_command(app, words); !known.ok()) return report(known.error());
  std::reverse(words.begin(), words.end()); // CLI11 expects reverse order
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success &wanted) { // --help, --version
    std::ostringstream text;
    const int status = app.exit(wanted, text, text);
    write_output(text.str());
    return status;
  } catch (const CLI::ParseError &e) {
    return report(wrong_usage(app, e, *help));
  }
  Result<void> done = action();
  return done.ok() ? exit_status() : report(done.error());
}

} // namespace

} // namespace kiln::tool

/// Ends the process without running destructors, which would take a tenth of a short run. This is safe:
/// result files are already written, and finish_output flushes the streams.
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
  // A write past the file size limit then returns an error instead of ending the process.
  std::signal(SIGXFSZ, SIG_IGN);
  kiln::avoid_opencl_driver_faults();
  leave(guarded_main(argc, argv));
}
