// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole programs: a file, or typed text, run statement by statement. Definitions go into the session as those
// of Session::load do; all other code runs on the host.
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

/// Library for sessions that run programs, and packages that run code while they load:
/// SessionOptions::host_library. Thread-safe; lives as long as the process.
KILN_API HostLibrary &programs_library();

/// Connections of a program to the outside. Functions are called on the thread that runs the program.
struct ProgramOptions {
  std::vector<std::string> arguments; ///< ARGS
  /// Receives the output of print. Empty: it is dropped.
  std::function<void(std::string_view)> output = {}, error_output = {};
  /// The next line of readline(), without its end; no value at the end. Empty: there is none.
  std::function<std::optional<std::string>()> input = {};
  /// Variables of ENV. A program's own assignments stay in the program. Empty: ENV is empty.
  std::function<std::optional<std::string>(const std::string &name)> environment = {};
  /// Receives likely mistakes that are no errors. Empty: the session's log, at level Warning.
  std::function<void(const Diagnostic &)> warn = {};
  size_t memory = size_t(64) << 30; ///< bytes of arrays that one statement may make
  bool is_colour = false;
  /// of CuArrays: "cpu", "cuda", "cuda:1"; empty: a GPU if there is one, else the CPU
  std::string device = {};
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program of C++ and the library share through a Program.
consteval auto program_structures() {
  return std::array{KILN_STRUCTURE(ProgramOptions), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// A program in a session. One thread at a time may use it, except for interrupt(). The session must outlive
/// it, and runs at most one program.
class KILN_API Program {
public:
  /// Errors: Usage (a session that was opened without programs_library(), or whose language has no programs;
  /// a second program).
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
  /// Runs a file as `julia FILE` does. Errors: Input, of the first statement that fails.
  Result<Outcome> run_file(const std::string &path);
  /// Runs text, as typed at a prompt. `shown` gets the prompt's text for the last statement's value; it is
  /// empty for `nothing` or if a `;` follows.
  Result<Outcome> run_text(std::string_view name, std::string text, std::string *shown = nullptr);
  /// Returns true if typed text is complete: statements, or a syntax error that no further line mends.
  bool is_complete(std::string_view text);
  /// Names that could complete `text`: those with its last word as prefix, of Main and the names that it
  /// sees, or of the module named before a dot; sorted. A word may have one letter.
  std::vector<std::string> completions(std::string_view text);
  /// An error as Julia prints it, with Kiln's place and caret.
  std::string describe(const Error &error);
  /// Ends the statement that runs, with an InterruptException. From any thread, also in signal handlers.
  void interrupt();
  /// interrupt() was called, and the program has not thrown the exception yet.
  bool has_pending_interrupt() const;

  struct KILN_LOCAL State; ///< for the component itself

private:
  KILN_LOCAL explicit Program(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
