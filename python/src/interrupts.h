// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C while the main thread waits for a kernel on the CPU.
#pragma once

#include <kiln/forward.h>
#include <kiln/result.h>
#include <kiln/stop.h>

namespace kiln::python {

/// A launch that waits for its kernel. After 50 ms on the main thread, SIGINT also ends the kernel, until the
/// launch ends; Python's own handler is still called. Other threads and shorter launches pay some
/// nanoseconds.
class InterruptibleLaunch {
public:
  InterruptibleLaunch();
  ~InterruptibleLaunch();
  InterruptibleLaunch(const InterruptibleLaunch &) = delete;
  InterruptibleLaunch &operator=(const InterruptibleLaunch &) = delete;
  const StopSource *stop() const; ///< for LaunchOptions::stop

private:
  const bool is_watched_;
};

/// If the error is that of an interrupted kernel, sets Python's exception (usually KeyboardInterrupt) and
/// returns true. Call it with the GIL.
bool set_interrupt(const Error &error);

} // namespace kiln::python
