// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_hooks.h"

namespace kiln {

const JobHooks &hooks_of(const CompilerConfig &config) {
  struct NoHooks final : JobHooks {
    std::string name() const override { return {}; }
    std::string version() const override { return {}; }
  };
  static const NoHooks none;
  return config.hooks ? *config.hooks : none;
}

void locate_frames(Error &error, const SourceMap &sources) {
  for (Diagnostic &diagnostic : error.diagnostics()) {
    for (StackFrame &frame : diagnostic.stack)
      if (!frame.at && !frame.file.empty() && frame.line)
        frame.at = sources.locate_line(frame.file, frame.line);
    if (!diagnostic.at) diagnostic.at = place_of(diagnostic.stack);
  }
}

} // namespace kiln
