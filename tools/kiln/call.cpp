// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

namespace kiln::tool {

/// Adds the hint "write the argument types" to the error of a `call` that is a function name alone.
static Error with_hint(Error error, std::string_view call) {
  Diagnostic &first = error.diagnostics()[0];
  if (first.code == ErrorCode::MethodError && first.hint.empty() && call.find('(') == call.npos)
    first.hint = fmt::format("write the argument types: '{}(CuDeviceVector{{Float32,1}}, Float32)'", call);
  return error;
}

Result<Job> job_of_call(Session &session, Arguments &arguments, const CompileOptions &options,
                        const CompilerConfig &config) {
  KILN_TRY(auto captures, arguments.captures(options.captures));
  KILN_TRY(ResolvedCall call, resolve_call(session, options.call(), captures));
  KILN_TRY(std::string context, iteration_space(options.workgroup_size, options.ndrange));
  if (!context.empty()) {
    KILN_TRY(Value value, evaluate(session, "--workgroupsize", context));
    call.arguments.insert(call.arguments.begin(), value.type());
  }
  Result<Job> found = job(session, call, config);
  if (!found.ok()) return with_hint(found.take_error(), options.call());
  return found;
}

} // namespace kiln::tool
