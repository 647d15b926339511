// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component remote (layer 2): a session's access to remote stores, through the agent of its node.
//   protocol      messages between session and agent, and the socket's path
//   connection    one connection to the agent
//   patience      waiting times of a session
//   silence_mark  shared mark of a silent agent, for the sessions of a node
//   starter       the process that starts an agent
//   agent_client  a session's requests: fetch and put, with pauses after faults
//   queue_connection  a worker's connection to a queue of jobs
#pragma once

#include "agent_client.h"
#include "patience.h"
#include "protocol.h"
#include "queue_connection.h"
