// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets the stop source of a launch also cancel the compile that the launch needs.
#pragma once

#include <host/host.h>
#include <support/cancellation.h>

namespace kiln {

/// Runs work(). A request on `stop` cancels compiles within it. Errors: those of work(); Stopped.
template <class Work> auto run_stoppable(const StopSource *stop, Work work) -> decltype(work()) {
  if (!stop) [[likely]]
    return work();
  const StopToken token(stop);
  const Cancellation cancellation;
  const StopWatch watch(
      token, [](void *of) { static_cast<const Cancellation *>(of)->cancel(); },
      const_cast<Cancellation *>(&cancellation));
  const CancellationScope scope(&cancellation);
  if (token.is_stopped()) return stopped_error();
  auto done = work();
  if (!done.ok() && token.is_stopped() && done.error().code() == ErrorCode::Cancelled) return stopped_error();
  return done;
}

} // namespace kiln
