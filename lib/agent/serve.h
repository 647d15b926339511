// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main function of the agent.
#pragma once

#include "remote_store.h"

namespace kiln {

struct AgentOptions {
  std::string socket_path;
  std::chrono::seconds idle{300}; ///< the agent ends after this time without a connection; 0: never
  ServerSettings settings;
  TrustOptions trust;
  RemoteLimits limits;
  std::string lease_url;               ///< of a server with leases for all remotes; empty: each remote's own
  std::function<void()> on_ready = {}; ///< called once sessions can connect, to this agent or to another one
};

enum class AgentEnd : uint8_t { Served, AnotherServes };

/// Serves sessions until SIGTERM, SIGINT, SIGHUP, a Stop message, or the end of the idle time. The calling
/// thread must be the only one of the process. These signals and SIGPIPE stay blocked in it. Messages go to
/// `sink` without credentials. Errors: those of AgentSocket::listen(); Machine.
Result<AgentEnd> serve_agent(const AgentOptions &options, LogLevel level, const LogFunction &sink);

} // namespace kiln
