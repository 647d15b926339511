// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The worker processes of a session: which jobs they do, and what is asked of them.
#pragma once

#include "compiler.h"

namespace kiln {

class WorkerProcesses {
public:
  virtual ~WorkerProcesses() = default;
};

} // namespace kiln
