// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice: reasons why a kernel is slow, with the place in its source and a replacement. docs/guide/advice.md
// has each rule with an example. Free functions; any thread.
#pragma once

#include <kiln/export.h>
#include <kiln/session.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// One thing that makes a kernel slow.
struct Advice {
  /// Which rule: wide-float, wide-integer, local-memory, spills, stride, bank-conflict, division, occupancy.
  std::string rule;
  std::string message;           ///< the slow part and the reason; one sentence without a full stop
  std::string hint;              ///< the replacement
  Location at;                   ///< in the user's code
  std::vector<StackFrame> stack; ///< innermost first, through inlined frames; one frame: the kernel itself
};

struct AdviceReport {
  std::vector<Advice> advice; ///< by file, line and column
  std::vector<std::string>
      not_checked; ///< rules that could not run, with the reason: "spills, occupancy: ..."
};

/// Reads the compiler's products of a job: the IR before code generation, and for NVIDIA's GPUs the
/// assembler's report of registers and memory. It makes products that no cache has; the job's code does not
/// change. Without an assembler, `not_checked` lists the rules that need one. Errors: those of
/// Session::compile; Usage for a config without debug information (debug_level 0, strip) or without
/// optimisation (opt_level 0, optimize false).
KILN_API Result<AdviceReport> advise(Session &session, const Job &job);
/// Advises on the job of the call "f(T1, T2, ...)" as of now. Debug information that the config leaves out is
/// added.
KILN_API Result<AdviceReport> advise(Session &session, std::string_view call, CompilerConfig config);

/// Adds advice on `jobs` to a report. Session::collect_jobs, opened when the timings began, collects them.
/// `not_checked` lists rules that could not run: for a job whose cubin is not among the report's kernels, for
/// one without debug information or optimisation, and for one that does not compile. The report does not
/// contain the time of this call, since it was made before. Error: Usage, for a session that cannot be used.
KILN_API Result<void> add_advice(Session &session, std::span<const Job> jobs, TimingReport &report);

/// "file:line:column: advice: the slow part; the replacement", a line each. For advice in an inlined
/// function, lines that begin with two spaces follow: the places of the calls.
KILN_API std::string advice_text(const AdviceReport &report);
/// {"advice": [{"rule", "file", "line", "column", "message", "hint", "stack": [{"function", "file", "line",
/// "column"}]}], "not_checked": ["..."]}
KILN_API std::string advice_json(const AdviceReport &report);

} // namespace kiln::inline KILN_API_VERSION
