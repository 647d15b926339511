// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lets Ctrl-C stop a kernel on the CPU while the main thread waits for the kernel.
#pragma once

#include <kiln/forward.h>
#include <kiln/result.h>
#include <kiln/stop.h>

namespace kiln::python {

/// A launch that waits for its kernel. On the main thread, from 50 ms on, SIGINT also stops the kernel.
/// Python's own SIGINT handler is still called. Other threads and shorter launches cost some nanoseconds.
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

/// Sets Python's exception (usually KeyboardInterrupt) and returns true, if the error is that of an
/// interrupted kernel. Call it with the GIL.
bool set_interrupt(const Error &error);

} // namespace kiln::python
