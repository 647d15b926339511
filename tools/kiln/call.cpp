// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call.h"

#include "iteration_space.h"

namespace kiln::tool {

Result<ResolvedCall> parse_call(Session::State &state, const std::string &call,
                                std::span<const Capture> captures) {
  std::lock_guard lock(state.load_mutex);
  return state.frontend().resolve_call(state.world, *state.world.main(), "job", call, captures);
}

Result<CompilerJob> job_of_call(Session::State &state, Arguments &arguments, const CompileOptions &options,
                                const CompilerConfig &config) {
  KILN_TRY(auto captures, arguments.captures(options.captures));
  KILN_TRY(auto signature, parse_call(state, options.call(), captures));
  KILN_TRY(std::string context, context_expression(options));
  if (!context.empty()) {
    KILN_TRY(Value value, state.evaluate("--workgroupsize", context));
    signature.arguments.insert(signature.arguments.begin(), value.type());
  }
  return state.job(signature.function, signature.arguments, config, signature.at);
}

} // namespace kiln::tool
