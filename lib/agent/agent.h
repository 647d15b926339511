// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component agent (layer 3): the process that accesses remote stores for one user and node
// (docs/design/remote.md). Only the program kiln-agent links it.
//
// - event_loop: epoll, timers, helper threads
// - url: URLs of remotes; hides credentials
// - remote_server: interface of one server. http_server and s3_server use http_client, redis_server uses
//   redis_connection; folder_server
// - action_result: the protobuf message that HTTP servers store under /ac/
// - breaker: stops requests to a failing server; measures its latency
// - remote_store: a server that all connections share: breaker, uploads, signatures, counters
// - lease_hub: leases for the entries of one remote; redis_leases: leases on a Redis server
// - job_hub: queues of jobs of one remote; redis_jobs: queues on a Redis server
// - client_connection: the connection of one session
// - agent_socket: ensures that one agent listens at a socket
// - serve: runs the agent from its start to its end
// - span_exporter: posts trace spans of sessions to a collector
// - control: commands of a user to a running agent; metrics: the agent's counters for Prometheus
#pragma once

#include "control.h"
#include "metrics.h"
#include "serve.h"
