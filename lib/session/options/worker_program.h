// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The programs that a session starts: its worker processes, and the agent of remote stores.
#pragma once

#include <kiln/session.h>
#include <pipeline/pipeline.h>

namespace kiln {

/// SessionOptions::worker_program, or where one is found. Error: Machine, with the places where it was looked
/// for; Usage for a named one that is not there.
Result<std::string> find_worker_program(const SessionOptions &options);
/// kiln-agent, beside the program kiln of this build; empty: it is not installed.
std::string find_agent_program();
/// Null if the options ask for none. With a limit for the assembler there are processes for that alone, if
/// the options ask for no others: one for each thread that compiles. No process is started yet. Errors: as
/// above.
Result<WorkerProcessesPtr> make_worker_processes(const SessionOptions &options);

} // namespace kiln
