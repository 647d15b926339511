// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stops running launches and calls on the CPU from another thread or a signal handler. docs/guide/stop.md is
// the tour.
#pragma once

#include <kiln/export.h>

#include <memory>

namespace kiln {
class StopToken;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Stops the launches and calls to which it is passed (LaunchOptions::stop, HostFunction::call), like
/// std::stop_source. They end with the error Stopped, whether they run, compile or wait in a stream. Cheap to
/// copy: copies refer to the same source. Thread-safe. A launch on a GPU with a source is a Usage error.
class KILN_API StopSource {
public:
  StopSource();
  /// Stops all launches and calls that have the source, and until reset() also new ones. Returns at once;
  /// true if no request was pending. Async-signal-safe: takes no lock, allocates nothing and preserves errno.
  /// While a signal handler may call it, the source must not be constructed, destroyed or assigned to.
  bool request_stop() const noexcept;
  bool stop_requested() const noexcept; ///< async-signal-safe
  /// Withdraws the request for launches and calls that get the source from now on. Earlier ones stay stopped.
  void reset() const noexcept;

private:
  friend StopToken;
  struct KILN_LOCAL State;
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
