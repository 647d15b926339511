// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When this process began, for --timings: the table accounts for what comes before main too.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln::tool {

/// The first thing that main does.
void note_main_began();
/// On the steady clock, in nanoseconds.
uint64_t main_began();
/// The same of the process: main's beginning less what was computed before it. What the process waited for
/// before main (a disk, a processor) is left out.
uint64_t process_began();

/// What a command does before it opens its session, and is no part of reading the command line: from `began`
/// to now. `stage` lives as long as the process.
struct EarlyStage {
  std::string_view stage;
  uint64_t began, ended;
};
void note_before_session(std::string_view stage, uint64_t began);
std::span<const EarlyStage> early_stages();

} // namespace kiln::tool
