// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rank.h"

#include "environment.h"
#include "read_number.h"

#include <fmt/format.h>

namespace kiln {

namespace {

Result<uint32_t> read_variable(const char *name, const std::string &text) {
  if (const auto number = read_number<uint32_t>(text)) return *number;
  return make_error(ErrorCode::Usage, fmt::format("{} is `{}`", name, text), {},
                    "set it to a whole number, or unset it");
}

} // namespace

Result<std::optional<Rank>> read_rank() {
  for (const auto &launcher : launchers) {
    const std::string index = environment_text(launcher.index);
    if (index.empty()) continue;
    Rank rank{.variable = launcher.index};
    KILN_TRY(rank.index, read_variable(launcher.index, index));
    const std::string count = launcher.count ? environment_text(launcher.count) : std::string();
    if (count.empty()) return std::optional(rank);
    KILN_TRY(rank.count, read_variable(launcher.count, count));
    if (rank.index < *rank.count) return std::optional(rank);
    return make_error(ErrorCode::Usage,
                      fmt::format("{} is {}, and {} is {}", launcher.index, index, launcher.count, count), {},
                      "an index is below the number of processes");
  }
  return std::optional<Rank>();
}

} // namespace kiln
