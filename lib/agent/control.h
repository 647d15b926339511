// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests of people to a running agent. Both calls wait for it, a few seconds at most.
#pragma once

#include <support/support.h>

#include <string>

namespace kiln {

/// Returns the agent's report, a JSON object. Errors (Machine): no agent at `socket_path`, or it refuses or
/// does not answer.
Result<std::string> agent_report(const std::string &socket_path);

/// Stops the agent and waits for its end. False: there was none. Error (Machine): it does not end.
Result<bool> stop_agent(const std::string &socket_path);

} // namespace kiln
