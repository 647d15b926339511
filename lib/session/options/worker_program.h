// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the programs that a session starts: worker processes, and the agent of remote stores.
#pragma once

#include <kiln/session.h>
#include <pipeline/pipeline.h>

namespace kiln {

/// SessionOptions::worker_program, or a found program. Errors: Machine, listing the searched places; Usage,
/// if the named program does not exist.
Result<std::string> find_worker_program(const SessionOptions &options);
/// kiln-agent, in the folder of this build's kiln. Empty if it is not installed.
std::string find_agent_program();
/// Makes the worker processes that the options ask for, or null. A limit for the assembler alone also needs
/// processes: one for each compiling thread. Starts no process yet. Errors: as above.
Result<WorkerProcessesPtr> make_worker_processes(const SessionOptions &options);

} // namespace kiln
