// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every public function of a session begins with: the manners of a guest in the embedder's thread.
#pragma once

#include "session.h"

#include <cerrno>

namespace kiln {

/// Behind it errno is what it was.
class ErrnoScope {
public:
  ErrnoScope() = default;
  ~ErrnoScope() { errno = before_; }
  ErrnoScope(const ErrnoScope &) = delete;
  ErrnoScope &operator=(const ErrnoScope &) = delete;

private:
  const int before_ = errno;
};

/// Lives as long as a call of the session. Within it the thread reads the environment only if the session's
/// options allow it; behind it errno is what it was.
class CallScope {
public:
  explicit CallScope(const Session::State &state)
      : state_(state), environment_(state.options.use_environment) {}
  CallScope(const CallScope &) = delete;
  CallScope &operator=(const CallScope &) = delete;

  /// May this thread call the session now? Error: Usage, from within a callback that the session waits for,
  /// in a child of the process that opened it, and while it is being closed.
  Result<void> check() const {
    if (state_.runtime->is_of_this_process() && !CallbackScope::is_inside(&state_.log) &&
        !state_.is_closing()) [[likely]]
      return {};
    return refused();
  }

private:
  Error refused() const;
  const Session::State &state_;
  const ErrnoScope errno_;
  const EnvironmentScope environment_;
};

} // namespace kiln
