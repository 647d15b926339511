// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component agent (layer 3): the process that accesses remote stores for one user and node
// (docs/design/remote.md). Only the program kiln-agent links it.
//
// - event_loop: epoll, timers, helper threads
// - url: URLs of remotes; hides credentials
// - remote_server: one server. http_server and s3_server on http_client, redis_server on redis_connection,
//   folder_server
// - action_result: the protobuf message under /ac/
// - breaker: stops requests to a failing server; measures its latency
// - remote_store: a server shared by all clients: breaker, uploads, signatures, counters
// - lease_hub: the leases of one remote; redis_leases: their server
// - job_hub: the queues of jobs of one remote; redis_jobs: their server
// - client_connection: a session's connection
// - agent_socket: one agent per socket
// - serve: the agent from its start to its end
// - span_exporter: posts the spans of sessions to a collector
// - control: requests of people to a running agent; metrics: its counters for Prometheus
#pragma once

#include "control.h"
#include "metrics.h"
#include "serve.h"
