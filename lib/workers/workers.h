// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component workers (layer 1): worker processes, which do one job per request message. A message is a type
// number and bytes; lib/pipeline/worker_processes.h defines the jobs.
//   message   messages as bytes, and a reader that checks them
//   process   one worker process: start, exchange, kill
//   pool      the worker processes of a session, lent to threads and replaced after a fault
//   serve     the main loop of a worker program
#pragma once

#include "message.h"
#include "pool.h"
#include "process.h"
#include "serve.h"
