// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the program's output: results to standard output or files, messages and reports to standard error.
#pragma once

#include "options.h"

namespace kiln::tool {

/// Style of the output, as set by --color and --quiet.
struct Manner {
  enum class Colour : uint8_t { Auto, Always, Never };
  Colour colour = Colour::Auto; ///< Auto: colours on a terminal, unless NO_COLOR is set
  bool quiet = false;           ///< suppresses notes and warnings
};
Manner &manner();
/// Adds --color and --quiet.
void add_manner_to(CLI::App &app);

/// Prints a note on standard error. With --quiet, prints nothing.
void note(std::string_view text);

/// Prints an error on standard error, and returns the exit status for it. For an internal error of Kiln, also
/// prints how to report the bug.
int report(const Error &error);

/// Writes to standard output. The text is buffered, unless standard output is a terminal. A failed write is
/// reported later, by finish_output().
void write_output(std::string_view text);
/// Flushes the buffer of standard output. Returns false if this or an earlier write to standard output
/// failed.
bool flush_output();
/// Flushes standard output before the process ends, and returns the exit status. If a write to standard
/// output failed and `status` is 0, prints an error and returns the status of that error.
int finish_output(int status);

/// Returns the number of columns of the terminal behind the file descriptor `file`; 100 if it is no terminal.
size_t terminal_width(int file);
/// Returns true if text for the file descriptor `file` should have colours.
bool wants_colour(int file);
/// Checks before a long compile that the result file `path` can be written: its folder exists and is
/// writable. An empty path means standard output. Error: Input.
Result<void> check_writable(const std::string &path);
/// Writes a result to the file `path`, atomically. An empty path or "-" means standard output.
Result<void> write_result(const std::string &path, std::string_view bytes);

/// Writes a session's timing report in the form that --timings selects. If requested, adds advice on the
/// kernels of `jobs`.
Result<void> write_timings(Session &session, const CommonOptions &options, std::span<const Job> jobs);
/// Writes the timing report of several sessions that shared `timer`, with their `kernels`. Call it after the
/// sessions are closed. Writes nothing if `timer` is null.
Result<void> write_timings(const std::shared_ptr<Timer> &timer, std::vector<TimingKernel> kernels,
                           const CommonOptions &options);
/// Writes a timing report in the form that --timings selects, and sets its title. `events`: returns the whole
/// text for the forms of single events (trace, otlp).
Result<void> write_timings(TimingReport report, const std::function<std::string()> &events,
                           const CommonOptions &options);

} // namespace kiln::tool
