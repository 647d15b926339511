// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output of the program: results go to standard output or files, everything else to standard error.
#pragma once

#include "options.h"

namespace kiln::tool {

/// Style of the output: --color and --quiet.
struct Manner {
  enum class Colour : uint8_t { Auto, Always, Never };
  Colour colour = Colour::Auto; ///< Auto: on a terminal, unless NO_COLOR is set
  bool quiet = false;           ///< suppresses notes and warnings
};
Manner &manner();
/// Adds --color and --quiet.
void add_manner_to(CLI::App &app);

/// Prints a note on standard error, unless --quiet.
void note(std::string_view text);

/// Prints an error on standard error. For Kiln's own fault, adds how to report it. Returns the exit status.
int report(const Error &error);

/// Writes to standard output, buffered unless that is a terminal. finish_output() reports failed writes.
void write_output(std::string_view text);
/// Writes the buffered text. Returns false if standard output has lost data, now or earlier.
bool flush_output();
/// Call it before the process ends. Writes the buffered text and returns the process's exit status. If
/// standard output lost data and `status` is 0, prints the lost-output error and returns its status.
int finish_output(int status);

/// Columns of the terminal at standard output; 100 if it is none.
size_t terminal_width();
/// Returns true if text for this file descriptor is coloured.
bool wants_colour(int file);
/// Checks before a compile that write_result(path, ...) can succeed: the folder exists and is writable. An
/// empty path is standard output. Error: Input, as write_file_atomically's.
Result<void> check_writable(const std::string &path);
/// Writes a file atomically.
Result<void> write_result(const std::string &path, std::string_view bytes);

/// Writes a session's timing report in the form of --timings, with advice on `jobs` if requested.
Result<void> write_timings(Session &session, const CommonOptions &options, std::span<const Job> jobs);
/// Writes the report of a timer that several sessions shared, and of their kernels. Call it after they close.
/// Null: writes nothing.
Result<void> write_timings(const std::shared_ptr<Timer> &timer, std::vector<TimingKernel> kernels,
                           const CommonOptions &options);
/// Writes a report in the form of --timings and sets its title. `events` returns the text of single events.
Result<void> write_timings(TimingReport report, const std::function<std::string()> &events,
                           const CommonOptions &options);

} // namespace kiln::tool
