// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program kiln: its command line and exit statuses. 0 done, 1 the input is wrong, 2 wrong usage, 3
// something of the machine is missing, 4 Kiln's own fault.
#include "cache.h"
#include "commands.h"
#include "output.h"
#include "precompile.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/ranges.h>
#include <new>

namespace kiln::tool {

namespace {

struct CommandLine {
  CLI::App app{"Kiln compiles kernels for CPUs and NVIDIA GPUs, and runs them.", "kiln"};
  CommonOptions common;
  CompileOptions compile;
  RunOptions launch, bench_launch;
  BenchOptions bench;
  CacheOptions cache;
  PrecompileCommand precompile;
  CLI::App *compile_command = nullptr, *run_command = nullptr, *bench_command = nullptr,
           *doctor_command = nullptr, *cache_command = nullptr, *precompile_command = nullptr;

  CommandLine() {
    app.set_version_flag("--version", fmt::format("kiln {} (LLVM {})", KILN_VERSION, KILN_LLVM_VERSION));
    app.require_subcommand(1);
    compile_command = app.add_subcommand(
        "compile",
        "Compiles one job and prints an artifact:\n  kiln compile FILE.jl... 'f(T1, T2)' [OPTIONS]\n"
        "A kernel inside a host function is 'host/kernel(T1)', or 'host(A, B)/kernel(T1)' where several methods of host have one.");
    run_command = app.add_subcommand(
        "run",
        "Compiles, loads, launches and writes results:\n  kiln run FILE.jl... f --arg EXPR ... [OPTIONS]");
    bench_command = app.add_subcommand(
        "bench", "As run, and measures the launches:\n  kiln bench FILE.jl... f --arg EXPR ... [OPTIONS]");
    for (CLI::App *command : {compile_command, run_command, bench_command}) {
      command
          ->add_option("inputs", compile.inputs,
                       command != compile_command ? "files, then the function" : "files, then the call")
          ->type_name("FILE.jl...");
      compile.add_to(*command);
      common.add_to(*command);
    }
    launch.add_to(*run_command);
    launch.add_check_to(*run_command); // its times would mean nothing
    bench_launch.add_to(*bench_command);
    bench.add_to(*bench_command);
    doctor_command = app.add_subcommand("doctor", "Tells what was found on this machine");
    cache.add_to(*(cache_command = app.add_subcommand("cache", "Looks after the folder of the cache")),
                 common, compile);
    precompile_command = app.add_subcommand(
        "precompile",
        "Fills the cache without launching anything:\n  kiln precompile MANIFEST|TRACE [OPTIONS]");
    precompile.add_to(*precompile_command);
    common.add_to(*precompile_command);
  }
};

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
    const size_t alike =
        size_t(std::mismatch(name.begin(), name.end(), word.begin(), word.end()).first - name.begin());
    if (alike >= std::min<size_t>(3, name.size()) || sorted(name) == sorted(word)) meant = name;
    names.push_back(name);
  }
  Diagnostic d{.name = "usage error", .message = fmt::format("kiln has no command `{}`", word)};
  d.hint = fmt::format("{}there are {}; kiln --help tells what they do",
                       meant.empty() ? "" : fmt::format("did you mean {}? ", meant), fmt::join(names, ", "));
  return Error(ErrorKind::Usage, std::move(d));
}

Result<void> dispatch(const CommandLine &line) {
  if (line.doctor_command->parsed()) return doctor();
  KILN_CHECK(line.common.check());
  if (line.cache_command->parsed()) return cache(line.common, line.compile, line.cache);
  if (line.precompile_command->parsed()) return precompile(line.common, line.precompile);
  if (line.run_command->parsed()) return run(line.common, line.compile, line.launch);
  if (line.bench_command->parsed()) return bench(line.common, line.compile, line.bench_launch, line.bench);
  return compile(line.common, line.compile);
}

int main(int argc, char **argv) {
  CommandLine line;
  if (argc > 1)
    if (Result<void> known = check_command(line.app, argv[1]); !known.ok()) return report(known.error());
  try {
    line.app.parse(reversed_words(argc, argv));
  } catch (const CLI::Success &wanted) { // --help, --version
    return line.app.exit(wanted);
  } catch (const CLI::ParseError &e) {
    std::string_view command;
    for (const CLI::App *parsed : line.app.get_subcommands()) command = parsed->get_name();
    Diagnostic d{.name = "usage error", .message = e.what()};
    d.hint =
        fmt::format("kiln {}--help tells what there is", command.empty() ? "" : fmt::format("{} ", command));
    return report(Error(ErrorKind::Usage, std::move(d)));
  }
  Result<void> done = dispatch(line);
  return done.ok() ? 0 : report(done.error());
}

} // namespace

} // namespace kiln::tool

/// Leaves without taking apart what the process holds: that would be a tenth of a short run. Results are on
/// disk by now (write_result), and what the streams still hold is written here.
[[noreturn]] static void leave(int status) {
  if (std::fflush(stdout) != 0 && status == 0) status = int(kiln::ErrorKind::Machine);
  std::fflush(stderr);
  std::_Exit(status);
}

static int guarded_main(int argc, char **argv) {
  using namespace kiln;
  try {
    return tool::main(argc, argv);
  } catch (const std::bad_alloc &) {
    return tool::report(machine_error("out of memory"));
  } catch (const std::exception &e) {
    return tool::report(internal_error(fmt::format("an exception reached main: {}", e.what())));
  }
}

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of its write
  leave(guarded_main(argc, argv));
}
