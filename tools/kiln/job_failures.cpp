// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_failures.h"

#include "output.h"

#include <support/count.h>

#include <unistd.h>

namespace kiln::tool {

void show_failures(std::span<const PrecompileReport::Failure> failures,
                   const std::vector<PrecompileJob> &jobs) {
  std::vector<std::pair<std::string, std::vector<size_t>>> kinds;
  for (const auto &failure : failures) {
    Error bare = failure.error;
    for (Diagnostic &d : bare.diagnostics())
      if (!d.notes.empty() && d.notes.back().text.starts_with("of the job ")) d.notes.pop_back();
    std::string text = render(bare, wants_colour(STDERR_FILENO));
    auto same =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto &kind) { return kind.first == text; });
    if (same == kinds.end()) same = kinds.insert(kinds.end(), {text, {}});
    same->second.push_back(failure.job);
  }
  constexpr size_t max_named = 5;
  for (const auto &[text, failed] : kinds) {
    for (size_t i = 0; i < std::min(failed.size(), max_named); i++) {
      const PrecompileJob &job = jobs[failed[i]];
      LineColumn at = job.at ? job.at.file->position(job.at.begin) : LineColumn{};
      std::fputs(
          fmt::format("failed: {} ({}:{})\n", describe(job), job.at ? job.at.file->name() : "", at.line)
              .c_str(),
          stderr);
    }
    if (failed.size() > max_named)
      std::fputs(fmt::format("failed: {} more in the same way\n", failed.size() - max_named).c_str(), stderr);
    std::fputs((text + "\n").c_str(), stderr);
  }
}

ErrorKind kind_of(std::span<const PrecompileReport::Failure> failures) {
  ErrorKind kind = ErrorKind::Machine;
  for (const auto &failure : failures) {
    if (failure.error.kind() == ErrorKind::Internal) return ErrorKind::Internal;
    if (failure.error.kind() != ErrorKind::Machine) kind = ErrorKind::Input;
  }
  return kind;
}

Result<void> check_left_out(const PrecompileList &list, std::string_view path, std::string_view consequence) {
  const size_t left_out = list.warnings.size() + list.skipped.size();
  if (!left_out) return {};
  return input_error(fmt::format("{} of {} {} left out{}", counted(left_out, "job"), path,
                                 left_out == 1 ? "was" : "were", consequence),
                     {}, "each was told above: record the trace again, or do without them");
}

} // namespace kiln::tool
