// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Main function of the agent.
#pragma once

#include "remote_store.h"

namespace kiln {

struct AgentOptions {
  std::string socket_path;
  std::chrono::seconds idle{300}; ///< time without a connection before it ends; 0: never
  ServerSettings settings;
  TrustOptions trust;
  RemoteLimits limits;
  std::string lease_url;               ///< of a server with leases for all remotes; empty: each remote's own
  std::function<void()> on_ready = {}; ///< called once sessions can connect, here or to another agent
};

enum class AgentEnd : uint8_t { Served, AnotherServes };

/// Serves sessions until SIGTERM, SIGINT, SIGHUP, a Stop message, or the end of its idle time. The calling
/// thread must be the process's only one. It keeps these signals and SIGPIPE blocked. Messages go to `sink`
/// without credentials. Errors: those of AgentSocket::listen(); Machine.
Result<AgentEnd> serve_agent(const AgentOptions &options, LogLevel level, const LogFunction &sink);

} // namespace kiln
