// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation: code in the optimised module that the target cannot run, with source stacks.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

#include <string>
#include <vector>

namespace kiln {

class SourceMap;
class Target;

struct FaultFrame {
  std::string function;
  std::string file; ///< empty: unknown
  unsigned line = 0, column = 0;
  bool operator==(const FaultFrame &) const = default;
};

/// Code that cannot run: "unsupported call to an unknown function (call to time)".
struct Fault {
  std::string reason;
  std::vector<FaultFrame> stack; ///< innermost first, through inlined frames and unique call sites
  std::string hint = {};
  std::vector<std::string> notes = {};
  ErrorCode code = ErrorCode::InvalidIRError;
  std::string subject = {}; ///< Diagnostic::subject
  bool operator==(const Fault &) const = default;
};

/// Faults reachable from the entry, in source order, without duplicates of (reason, stack).
std::vector<Fault> find_faults(const CompilerConfig &config, const llvm::Module &module,
                               const Target &target);

/// One Input error for all faults. Looks up places by file name in `sources` (may be null).
Error faults_to_error(const std::vector<Fault> &faults, const SourceMap *sources);

/// The validation stage: find_faults and the target's own check.
Result<void> validate(const CompilerConfig &config, const llvm::Module &module, const Target &target,
                      const SourceMap *sources);

} // namespace kiln
