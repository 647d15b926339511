// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures when this process started, so that the table of --timings includes the time before main.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln::tool {

/// Notes the start of main. Call it first in main.
void note_main_began();
/// Returns the start of main, in nanoseconds of the steady clock.
uint64_t main_began();
/// Returns an estimate of the process's start, in nanoseconds of the steady clock: the start of main less the
/// CPU time used before main. Waits before main, for a disk or processor, are not counted.
uint64_t process_began();

/// A timed stage of a command's work before it opens a session. `stage` is the name, as static text. Times
/// are nanoseconds of the steady clock.
struct EarlyStage {
  std::string_view stage;
  uint64_t began, ended;
};
/// Records an EarlyStage from `began` to now.
void note_before_session(std::string_view stage, uint64_t began);
std::span<const EarlyStage> early_stages();

} // namespace kiln::tool
