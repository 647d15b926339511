// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component remote (layer 2): how a session reaches remote stores, through the agent of its node.
//   protocol      messages between the two, and where they meet
//   connection    one connection to the agent
//   patience      how long a session waits for an answer
//   silence_mark  what sessions of a node tell each other of a silent agent
//   starter       the process that starts an agent
//   agent_client  what a session does with it: fetch, put, leave a sick agent alone
//   queue_connection  a worker's way to a queue of jobs
#pragma once

#include "agent_client.h"
#include "patience.h"
#include "protocol.h"
#include "queue_connection.h"
