// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person asks a running agent. Both calls wait for it, at most a few seconds.
#pragma once

#include <support/support.h>

#include <string>

namespace kiln {

/// The JSON object of the agent at `socket_path`. Errors (Machine): no agent is there, it refuses, it does
/// not answer.
Result<std::string> agent_report(const std::string &socket_path);

/// Ends the agent, and waits until it has ended. False: none was there. Error (Machine): it does not end.
Result<bool> stop_agent(const std::string &socket_path);

} // namespace kiln
