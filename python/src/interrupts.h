// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C during a kernel that the main thread waits for on the CPU.
#pragma once

#include <kiln/forward.h>
#include <kiln/result.h>
#include <kiln/stop.h>

namespace kiln::python {

/// A launch that waits for its kernel. If it takes longer than 50 ms on the main thread, SIGINT ends the
/// kernel too, for as long as the launch takes; Python's own handler is called as ever. Other threads and
/// shorter launches pay some nanoseconds.
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

/// Sets Python's exception, KeyboardInterrupt as a rule, if the error is that of an interrupted kernel. The
/// caller holds the GIL.
bool set_interrupt(const Error &error);

} // namespace kiln::python
