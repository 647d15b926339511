// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints failures of the jobs of a list.
#pragma once

#include <kiln/job_list.h>

#include <span>

namespace kiln::tool {

/// Prints each message once, even if many jobs share it (such as a missing file).
void show_failures(std::span<const PrecompileReport::Failure> failures,
                   const std::vector<PrecompileJob> &jobs);
/// Worst kind of the failures: 1 wrong programs, 3 something missing on the machine, 4 Kiln's own faults
/// (worst).
ErrorKind kind_of(std::span<const PrecompileReport::Failure> failures);
/// Error: Input, if the list has jobs that could not be read or cannot be repeated. `consequence` ends the
/// message.
Result<void> check_left_out(const PrecompileList &list, std::string_view path, std::string_view consequence);

} // namespace kiln::tool
