// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation: finds code in the optimised module that the target cannot run, and reports it with source
// stacks.
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

/// Code that the target cannot run. Example of a text: "unsupported call to an unknown function (call to
/// time)".
struct Fault {
  std::string reason;
  /// Innermost frame first; contains inlined frames, and the callers of functions with one call site.
  std::vector<FaultFrame> stack;
  std::string hint = {};
  std::vector<std::string> notes = {};
  ErrorCode code = ErrorCode::InvalidIRError;
  std::string subject = {}; ///< Diagnostic::subject
  bool operator==(const Fault &) const = default;
};

/// Finds the faults that are reachable from the entry, in source order. Faults with equal reason and stack
/// are reported once.
std::vector<Fault> find_faults(const CompilerConfig &config, const llvm::Module &module,
                               const Target &target);

/// Makes one Input error from all faults. `sources`: source files, searched by name; may be null.
Error faults_to_error(const std::vector<Fault> &faults, const SourceMap *sources);

/// Runs the validation stage: find_faults, and the checks of the target.
Result<void> validate(const CompilerConfig &config, const llvm::Module &module, const Target &target,
                      const SourceMap *sources);

} // namespace kiln
