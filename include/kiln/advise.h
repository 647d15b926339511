// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice on slow kernels: finds slow code in a kernel, with its source location and a faster alternative.
// docs/guide/advice.md explains each rule with an example. Any thread may call these functions.
#pragma once

#include <kiln/export.h>
#include <kiln/session.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// A piece of advice: one place in the source that makes a kernel slow.
struct Advice {
  /// Name of the rule that found it: wide-float, wide-integer, local-memory, spills, stride, bank-conflict,
  /// division, occupancy, lockstep, serial-products.
  std::string rule;
  std::string message; ///< what is slow, and why; one sentence without a full stop
  std::string hint;    ///< what to write instead
  Location at;         ///< source location in the user's code
  /// Call stack of the slow code, innermost frame first, inlined functions included. One frame: the code is
  /// in the kernel itself.
  std::vector<StackFrame> stack;
};

struct AdviceReport {
  std::vector<Advice> advice; ///< sorted by file, line and column
  size_t num_checked = 0;     ///< number of rules that ran
  /// Rules that could not run, and the reason: "spills, occupancy: ..."
  std::vector<std::string> not_checked;
};

/// Checks the compiled form of a job against all rules: its optimised IR and, for NVIDIA GPUs, the
/// assembler's report on registers and memory. Compiles and assembles where no cache has these products. The
/// job's own code does not change. Without an assembler, the rules that need its report are listed in
/// `not_checked`. Errors: those of Session::compile; a Usage error for a config without debug information
/// (debug_level 0, strip) or without optimisation (opt_level 0, optimize false).
KILN_API Result<AdviceReport> advise(Session &session, const Job &job);
/// Advises on the job of the call "f(T1, T2, ...)", with the definitions as of now. Adds debug information if
/// the config has none.
KILN_API Result<AdviceReport> advise(Session &session, std::string_view call, CompilerConfig config);

/// Adds advice on `jobs` of the session to a timing report. Session::collect_jobs, called when the timings
/// begin, collects the jobs. A rule that cannot run for a job is listed in `not_checked`: the report has no
/// cubin of the job, or the job lacks debug information or optimisation. A job that does not compile is
/// listed too. The time of this call is not in the report. Error: Usage if the session cannot be used
/// (closed, or after a fork).
KILN_API Result<void> add_advice(Session &session, std::span<const Job> jobs, TimingReport &report);

/// Formats a report as text, one line for each advice: "file:line:column: advice: what is slow; what to write
/// instead". Advice on an inlined function is followed by its call sites, on lines that begin with two
/// spaces.
KILN_API std::string advice_text(const AdviceReport &report);
/// Formats a report as JSON: {"advice": [{"rule", "file", "line", "column", "message", "hint", "stack":
/// [{"function", "file", "line", "column"}]}], "not_checked": ["..."], "num_checked": 8}
KILN_API std::string advice_json(const AdviceReport &report);

} // namespace kiln::inline KILN_API_VERSION
