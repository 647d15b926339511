// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the programs that a session starts: worker processes, and the agent of remote stores.
#pragma once

#include <kiln/session.h>
#include <pipeline/pipeline.h>

namespace kiln {

/// Returns SessionOptions::worker_program, else searches for the program kiln. Errors: Machine, with the
/// searched paths; Usage if the named program does not exist.
Result<std::string> find_worker_program(const SessionOptions &options);
/// Returns the path of kiln-agent in the folder of this build's kiln; empty if it is not installed.
std::string find_agent_program();
/// Makes the pool of worker processes that the options require, or null. A time limit for the assembler also
/// requires worker processes: one for each compiling thread. Starts no process yet. Errors: those of
/// find_worker_program.
Result<WorkerProcessesPtr> make_worker_processes(const SessionOptions &options);

} // namespace kiln
