// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the failed jobs of a job list, for precompile and bundle.
#pragma once

#include <kiln/job_list.h>

#include <span>

namespace kiln::tool {

/// Prints the failed jobs and their error messages on standard error. A message that several jobs share, such
/// as a missing file, is printed once.
void show_failures(std::span<const PrecompileReport::Failure> failures,
                   const std::vector<PrecompileJob> &jobs);
/// Returns the kind of error that decides the exit status: Internal if there is one, else Input if there is
/// one, else Machine.
ErrorKind kind_of(std::span<const PrecompileReport::Failure> failures);
/// Returns an Input error if the list has jobs that could not be read or cannot be compiled again. `path`:
/// the list's file. `consequence`: the end of the message, such as " of the bundle".
Result<void> check_left_out(const PrecompileList &list, std::string_view path, std::string_view consequence);

} // namespace kiln::tool
