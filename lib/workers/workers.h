// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component workers (layer 1): processes that do work for this one, each message a piece of it. What the work
// is, is for others to say (lib/pipeline/worker_processes.h): here a message is a number and bytes.
//   message   messages as bytes, and the reader that trusts nothing
//   process   one worker process: started, asked, killed
//   pool      those of a session: lent to threads, replaced where they end
//   serve     the other side: what the worker program runs
#pragma once

#include "message.h"
#include "pool.h"
#include "process.h"
#include "serve.h"
