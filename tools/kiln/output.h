// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the program's words go: results to standard output or files, all else to standard error.
#pragma once

#include "options.h"

namespace kiln::tool {

/// How the program speaks: --color and --quiet.
struct Manner {
  enum class Colour : uint8_t { Auto, Always, Never };
  Colour colour = Colour::Auto; ///< Auto: on a terminal, unless NO_COLOR is set
  bool quiet = false;           ///< neither notes nor warnings
};
Manner &manner();

/// Prints a note on standard error, unless --quiet.
void note(std::string_view text);

/// Prints an error on standard error, and for a fault of Kiln's how to report it. Returns the exit status.
int report(const Error &error);

/// Writes to standard output; kept back until there is much, but on a terminal. What cannot be written is
/// an error of finish_output().
void write_output(std::string_view text);
/// Writes what was kept back. False: standard output has lost something, now or before.
bool flush_output();
/// Before the process ends: writes what was kept back. Returns its exit status, that of a missing machine
/// where standard output lost something and all else went well, and prints the error then.
int finish_output(int status);

/// Returns true if text for this file descriptor is coloured.
bool wants_colour(int file);
/// Whether write_result(path, ...) has a chance: the folder is there and can be written. Asked before
/// anything is compiled. An empty path is standard output. Error: Input, as write_file_atomically's.
Result<void> check_writable(const std::string &path);
/// A file is written whole or not at all.
Result<void> write_result(const std::string &path, std::string_view bytes);

/// The timing table of a session in the form that --timings asked for, with advice on `jobs` where that is
/// wanted.
Result<void> write_timings(Session &session, const CommonOptions &options, std::span<const Job> jobs);
/// Of a clock that several sessions shared, once they are closed, and of their kernels. Null: nothing is
/// written.
Result<void> write_timings(const std::shared_ptr<Timer> &timer, std::vector<TimingKernel> kernels,
                           const CommonOptions &options);
/// A report in the form that --timings asked for, but for single events, whose text `events` gives. Gets its
/// title here.
Result<void> write_timings(TimingReport report, const std::function<std::string()> &events,
                           const CommonOptions &options);

} // namespace kiln::tool
