// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

namespace kiln::tool {

Result<Job> job_of_call(Session &session, Arguments &arguments, const CompileOptions &options,
                        const CompilerConfig &config) {
  KILN_TRY(auto captures, arguments.captures(options.captures));
  KILN_TRY(ResolvedCall call, resolve_call(session, options.call(), captures));
  KILN_TRY(std::string context, iteration_space(options.workgroup_size, options.ndrange));
  if (!context.empty()) {
    KILN_TRY(Value value, evaluate(session, "--workgroupsize", context));
    call.arguments.insert(call.arguments.begin(), value.type());
  }
  return job(session, call, config);
}

} // namespace kiln::tool
