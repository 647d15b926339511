// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component remote (layer 2): a session's access to remote stores, through the agent of its node.
//   protocol      messages between session and agent, and the socket's path
//   connection    one connection to the agent
//   patience      decides how long a session waits for the agent
//   silence_mark  a file by which sessions of a node tell each other that the agent is silent
//   starter       starts an agent in a process of its own
//   agent_client  a session's requests: fetch and put, with pauses after faults
//   queue_connection  a worker's connection to a queue of jobs
#pragma once

#include "agent_client.h"
#include "patience.h"
#include "protocol.h"
#include "queue_connection.h"
