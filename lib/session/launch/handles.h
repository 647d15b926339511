// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <devices/devices.h>
#include <kiln/held_job.h>

namespace kiln {

/// The state behind a HostFunction.
struct HostFunction::State {
  LoadedFunction function;
  std::shared_ptr<SessionRuntime> runtime;
};

/// The state behind a Kernel.
inline std::shared_ptr<const Kernel::State> make_kernel(const Device &on, LoadedKernel loaded) {
  return make_of_process<Kernel::State>(Kernel::State{on.state(), std::move(loaded)});
}

} // namespace kiln
