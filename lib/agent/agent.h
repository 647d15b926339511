// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component agent (layer 3): the process of a user and node that talks to remote stores
// (docs/design/remote.md). Only the program kiln-agent links it.
//
// - event_loop: epoll, timers, helper threads
// - url: URLs of remotes; hides credentials
// - remote_server: one server. http_server and s3_server on http_client, redis_server on redis_connection,
//   folder_server
// - action_result: the protobuf message under /ac/
// - breaker: when a server is left out; how long its answers take
// - remote_store: a server as all clients share it: breaker, uploads, signatures, counters
// - lease_hub: the leases of one remote; redis_leases: their server
// - job_hub: the queues of jobs of one remote; redis_jobs: their server
// - client_connection: a session's connection
// - agent_socket: one agent per socket
// - serve: the agent from its start to its end
// - span_exporter: posts the spans of sessions to a collector
// - control: what a person asks a running agent; metrics: its counters for Prometheus
#pragma once

#include "control.h"
#include "metrics.h"
#include "serve.h"
