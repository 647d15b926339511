// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <devices/devices.h>
#include <kiln/held_job.h>

namespace kiln {

/// The state behind a HostFunction.
struct HostFunction::State {
  LoadedFunction function;
  std::shared_ptr<SessionRuntime> runtime;
  /// A plain function as C calls it (HostFunction::address).
  struct CForm {
    std::vector<CValue> parameters;
    CValue result;       ///< size 0: no result
    std::string refusal; ///< reason why C cannot call the function; empty: it can
    std::mutex mutex;
    std::unique_ptr<CEntry> entry; ///< created on first use; guarded by the mutex
  };
  std::unique_ptr<CForm> c;
};

/// The state behind a Kernel.
inline std::shared_ptr<const Kernel::State> make_kernel(const Device &on, LoadedKernel loaded) {
  return make_of_process<Kernel::State>(Kernel::State{state_of(on), std::move(loaded)});
}

} // namespace kiln
