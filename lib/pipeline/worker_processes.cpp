// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_processes.h"

namespace kiln {

void WorkerProcessesDeleter::operator()(WorkerProcesses *processes) const { delete processes; }

} // namespace kiln
