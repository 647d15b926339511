// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice in timing reports.
#include "advise.h"
#include "of_job.h"

#include <fmt/format.h>

#include <algorithm>

namespace kiln {
namespace {

/// Returns true if the session has already made a cubin of the job, so that the advice need not assemble it.
bool has_cubin(const TimingReport &report, const std::string &job) {
  return std::any_of(report.kernels.begin(), report.kernels.end(),
                     [&](const TimingKernel &kernel) { return kernel.job == job; });
}

TimingAdvice of_report(const Advice &advice, const std::string &job, const std::string &target) {
  return {.job = job,
          .target = target,
          .rule = advice.rule,
          .file = std::string(advice.at.file_name()),
          .line = uint32_t(advice.at.line()),
          .column = uint32_t(advice.at.column()),
          .message = advice.message,
          .hint = advice.hint};
}

} // namespace

Result<void> KILN_API_VERSION::add_advice(Session &session, std::span<const Job> jobs, TimingReport &report) {
  KILN_CHECK(session.check());
  report.has_advice = true;
  for (const Job &job : jobs) {
    KILN_TRY(const JobLabel label, job.label());
    const auto &[name, target] = label;
    auto found = advise_job(session, job, has_cubin(report, name) ? Assembling::Ask : Assembling::LeaveOut);
    if (!found.ok()) {
      report.not_checked.push_back(
          {name, target, fmt::format("all rules: {}", found.error().diagnostics().front().message)});
      continue;
    }
    for (const Advice &advice : found->advice) report.advice.push_back(of_report(advice, name, target));
    for (std::string &text : found->not_checked)
      report.not_checked.push_back({name, target, std::move(text)});
  }
  return {};
}

} // namespace kiln
