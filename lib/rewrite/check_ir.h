// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left in the optimised module that the target cannot run, each with the source stack that leads to
// it.
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
  std::string file; ///< empty: no place
  unsigned line = 0, column = 0;
  bool operator==(const FaultFrame &) const = default;
};

/// One thing that cannot run: "unsupported call to an unknown function (call to time)".
struct Fault {
  std::string reason;
  std::vector<FaultFrame>
      stack; ///< innermost first, through inlined frames and call sites that are the only one
  std::string hint = {};
  std::vector<std::string> notes = {};
  ErrorCode code = ErrorCode::InvalidIRError;
  std::string subject = {}; ///< Diagnostic::subject
  bool operator==(const Fault &) const = default;
};

/// Faults of what the entry reaches, in the order of the source, each (reason, stack) once.
std::vector<Fault> find_faults(const CompilerConfig &config, const llvm::Module &module,
                               const Target &target);

/// The faults as one Input error; places are looked up by file name in `sources` (may be null).
Error faults_to_error(const std::vector<Fault> &faults, const SourceMap *sources);

/// The validation stage: find_faults, the target's own check, the error.
Result<void> validate(const CompilerConfig &config, const llvm::Module &module, const Target &target,
                      const SourceMap *sources);

} // namespace kiln
