// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <devices/devices.h>
#include <kiln/held_job.h>

namespace kiln {

/// The state behind a HostFunction.
struct HostFunction::State {
  LoadedFunction function;
  std::shared_ptr<SessionRuntime> runtime;
  /// How C calls it.
  struct CForm {
    std::vector<CValue> parameters;
    CValue result;       ///< size 0: none
    std::string refusal; ///< C cannot call it: why
    std::mutex mutex;
    std::unique_ptr<CEntry> entry; ///< made when it is first asked for; under the mutex
  };
  std::unique_ptr<CForm> c;
};

/// The state behind a Kernel.
inline std::shared_ptr<const Kernel::State> make_kernel(const Device &on, LoadedKernel loaded) {
  return make_of_process<Kernel::State>(Kernel::State{state_of(on), std::move(loaded)});
}

} // namespace kiln
