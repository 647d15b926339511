// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start of this process, for --timings. The table includes the time before main.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln::tool {

/// Call it first in main.
void note_main_began();
/// Start of main on the steady clock, in nanoseconds.
uint64_t main_began();
/// Start of the process on the steady clock: main's start less the CPU time before it. Waits before main (for
/// a disk or processor) are not counted.
uint64_t process_began();

/// A stage between the parsed command line and the opening of the session, from `began` to now. `stage` is
/// static text.
struct EarlyStage {
  std::string_view stage;
  uint64_t began, ended;
};
void note_before_session(std::string_view stage, uint64_t began);
std::span<const EarlyStage> early_stages();

} // namespace kiln::tool
