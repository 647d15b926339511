// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ends launches on the CPU from outside: from another thread or from a signal handler.
// docs/guide/stop.md is the tour.
#pragma once

#include <kiln/export.h>

#include <memory>

namespace kiln {
class StopToken;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// A request to stop, as std::stop_source is one, for the launches and calls that are given it
/// (LaunchOptions::stop, HostFunction::call). They end with the error Stopped, whether they run or wait in a
/// stream, and so does a compile for one of them. Cheap to copy; copies are the same source. Thread-safe.
/// GPUs refuse launches with a source (Usage).
class KILN_API StopSource {
public:
  StopSource();
  /// Stops the launches and calls that have the source, also later ones until reset(). Returns at once. True:
  /// no request was pending. Async-signal-safe: it takes no lock, allocates nothing and keeps errno. While a
  /// signal handler may run, the source must not be constructed, destroyed or assigned to.
  bool request_stop() const noexcept;
  bool stop_requested() const noexcept; ///< async-signal-safe
  /// Ends the request: launches that get the source from now on run. Earlier ones stay stopped.
  void reset() const noexcept;

private:
  friend StopToken;
  struct KILN_LOCAL State;
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
