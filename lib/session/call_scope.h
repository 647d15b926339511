// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RAII scopes that every public function of a session opens. They check that the calling thread may call the
// session, and restore the thread's state.
#pragma once

#include <devices/devices.h>
#include <support/float_environment.h>
#include <support/support.h>

#include <atomic>
#include <cerrno>
#include <memory>

namespace kiln {

/// Restores errno.
class ErrnoScope {
public:
  ErrnoScope() = default;
  ~ErrnoScope() { errno = before_; }
  ErrnoScope(const ErrnoScope &) = delete;
  ErrnoScope &operator=(const ErrnoScope &) = delete;

private:
  const int before_ = errno;
};

/// Checks if a thread may call the session now. Thread-safe.
class CallGate {
public:
  CallGate(const SessionRuntime &runtime, const Log &log, bool use_environment)
      : use_environment(use_environment), runtime_(runtime), log_(log) {}

  const bool use_environment; ///< SessionOptions::use_environment

  /// Checks that this thread may call the session. Error: Usage in a callback of the session, in a host
  /// function of its kernels, in a forked child, or while the session closes.
  Result<void> check() const {
    if (is_of_this_process() && !is_inside_callback() && !is_closing()) [[likely]]
      return {};
    return refused();
  }
  /// Checks that this thread may wait for work of the session. Error: Usage, in a callback of the session or
  /// in a host function of its kernels. Unlike check(), it accepts a closing session and a forked child.
  Result<void> check_wait() const {
    if (!is_inside_callback()) [[likely]]
      return {};
    return refused();
  }
  bool is_of_this_process() const { return runtime_.is_of_this_process(); }
  /// Relaxed: this check only refuses most calls early. Those that slip through meet the services' own locks,
  /// under which these close.
  bool is_closing() const { return closing_.load(std::memory_order_relaxed); }
  void close() { closing_.store(true, std::memory_order_relaxed); }

private:
  bool is_inside_callback() const { return CallbackScope::is_inside(&log_, runtime_.executor->owner()); }
  Error refused() const;
  const SessionRuntime &runtime_;
  const Log &log_;
  std::atomic<bool> closing_{false};
};

/// Scope of one call of the session: restores errno at its end, and hides environment variables if
/// SessionOptions::use_environment is false.
class CallScope {
public:
  explicit CallScope(const CallGate &gate) : gate_(gate), environment_(gate.use_environment) {}
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;
  Result<void> check() const { return gate_.check(); }

private:
  const CallGate &gate_;
  const ErrnoScope errno_;
  const EnvironmentScope environment_;
};

/// Scope of a public function that evaluates or compiles. It also sets the default floating-point
/// environment.
class ComputingCall : public CallScope {
public:
  using CallScope::CallScope;

private:
  const DefaultFloatEnvironment floats_;
};

} // namespace kiln
