// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong with the jobs of a list, for people.
#pragma once

#include <kiln/job_list.h>

#include <span>

namespace kiln::tool {

/// A message many jobs share, such as a file that is not there, is shown once.
void show_failures(std::span<const PrecompileReport::Failure> failures,
                   const std::vector<PrecompileJob> &jobs);
/// 1 for jobs whose programs are wrong, 3 for what the machine lacks, 4 for Kiln's own faults, which are the
/// worst.
ErrorKind kind_of(std::span<const PrecompileReport::Failure> failures);
/// Error: Input, if a list has jobs that could not be read or cannot be repeated; `consequence` ends the
/// message.
Result<void> check_left_out(const PrecompileList &list, std::string_view path, std::string_view consequence);

} // namespace kiln::tool
