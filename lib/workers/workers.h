// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component workers (layer 1): processes that work for this one, one message per piece of work. A message is
// a number and bytes; lib/pipeline/worker_processes.h defines the work.
//   message   messages as bytes, and a reader that checks them
//   process   one worker process: start, exchange, kill
//   pool      the worker processes of a session, lent to threads and replaced after a fault
//   serve     the other side: the main loop of a worker program
#pragma once

#include "message.h"
#include "pool.h"
#include "process.h"
#include "serve.h"
