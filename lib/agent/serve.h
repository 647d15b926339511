// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agent from its start to its end.
#pragma once

#include "remote_store.h"

namespace kiln {

struct AgentOptions {
  std::string socket_path;
  std::chrono::seconds idle{300}; ///< without a connection, until it ends; 0: it never does
  ServerSettings settings;
  TrustOptions trust;
  RemoteLimits limits;
  std::string lease_url;               ///< of a server with leases for all remotes; empty: each remote's own
  std::function<void()> on_ready = {}; ///< is called once sessions can connect, here or to another agent
};

enum class AgentEnd : uint8_t { Served, AnotherServes };

/// Serves sessions until SIGTERM, SIGINT, SIGHUP, a Stop message, or the end of its idle time. The calling
/// thread is the process's only one, and keeps these signals and SIGPIPE blocked. Messages go to `sink`
/// without credentials. Errors: those of AgentSocket::listen(); Machine.
Result<AgentEnd> serve_agent(const AgentOptions &options, LogLevel level, const LogFunction &sink);

} // namespace kiln
