// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs whole programs, not only kernels: files, or text typed at a prompt, statement by statement.
// Definitions go into the session as with Session::load; all other code runs on the host.
#pragma once

#include <kiln/export.h>
#include <kiln/forward.h>
#include <kiln/header_check.h>
#include <kiln/result.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {
class HostLibrary;
class Value;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Returns the library that runs programs, for SessionOptions::host_library. Packages that run code while
/// they load need it too. Thread-safe; lives as long as the process.
KILN_API HostLibrary &programs_library();

/// Environment of a program: its arguments, input and output. The functions are called on the thread that
/// runs the program.
struct ProgramOptions {
  std::vector<std::string> arguments; ///< ARGS
  /// Receive the output of print, to stdout and stderr. Empty: the output is dropped.
  std::function<void(std::string_view)> output = {}, error_output = {};
  /// Returns the next line for readline(), without its end; no value after the last line. Empty function:
  /// there are no lines.
  std::function<std::optional<std::string>()> input = {};
  /// Returns the value of an environment variable for ENV. Assignments to ENV stay within the program. Empty
  /// function: ENV is empty.
  std::function<std::optional<std::string>(const std::string &name)> environment = {};
  /// Receives warnings about suspicious code. Empty: the session's log, at level Warning.
  std::function<void(const Diagnostic &)> warn = {};
  size_t memory = size_t(64) << 30; ///< maximum memory of the process, in bytes
  bool is_colour = false;
  /// Device of CuArrays: "cpu", "cuda:N" or "opencl:N". Empty: a GPU if there is one, else the CPU.
  std::string device = {};
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that embedders and libkiln exchange through this header. The library compares them
/// to detect headers of another version.
consteval auto program_structures() {
  return std::array{KILN_STRUCTURE(ProgramOptions), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// A program in a session. Not thread-safe, except interrupt(). The session must outlive the program and can
/// run only one.
class KILN_API Program {
public:
  /// Starts a program in a session. Errors: Usage if the session was opened without programs_library(), its
  /// language has no programs, or it has a program already.
  KILN_HEADER_INLINE static Result<std::unique_ptr<Program>> make(Session &session, ProgramOptions options) {
    const auto structures = detail::program_structures();
    return make(session, std::move(options), {KILN_VERSION, structures});
  }
  static Result<std::unique_ptr<Program>> make(Session &session, ProgramOptions options,
                                               const ProgramHeaders &headers);
  ~Program();
  Program(const Program &) = delete;

  /// Result of a run.
  struct Outcome {
    bool exited = false; ///< by exit()
    int status = 0;
  };
  /// Runs a file as `julia FILE` does. Error: Input if a statement fails, which ends the run.
  Result<Outcome> run_file(const std::string &path);
  /// Runs text as typed at a prompt. *shown becomes the last statement's value as a prompt shows it; empty if
  /// the value is nothing or the text ends with `;`. With `shown`, the variable `ans` keeps a value other
  /// than nothing.
  Result<Outcome> run_text(std::string_view name, std::string text, std::string *shown = nullptr);
  /// Returns true if typed text is complete: whole statements, or a syntax error that further lines cannot
  /// repair.
  bool is_complete(std::string_view text);
  /// Returns the possible completions of the last word of `text`, sorted: names visible in Main, or names of
  /// the module before a dot.
  std::vector<std::string> completions(std::string_view text);
  /// Formats an error with the text of Julia, in the layout of the compiler's messages: place, source line
  /// with caret, stack, hint. `colour`: with the escape sequences of a terminal.
  std::string describe(const Error &error, bool colour = false);
  /// Ends the running statement with an InterruptException. Any thread or signal handler may call it.
  void interrupt();
  /// Returns true if interrupt() was called and the program has not thrown its InterruptException yet.
  bool has_pending_interrupt() const;

  struct KILN_LOCAL State; ///< for the component itself

private:
  KILN_LOCAL explicit Program(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
