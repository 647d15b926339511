// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands of a user to a running agent. Both functions wait for the agent for a few seconds at most.
#pragma once

#include <support/support.h>

#include <string>

namespace kiln {

/// Returns the agent's report, a JSON object. Errors (Machine): no agent listens at `socket_path`; it refuses
/// the request, or does not answer.
Result<std::string> agent_report(const std::string &socket_path);

/// Stops the agent and waits for its end. Returns false if no agent listened. Error (Machine): the agent does
/// not end.
Result<bool> stop_agent(const std::string &socket_path);

} // namespace kiln
