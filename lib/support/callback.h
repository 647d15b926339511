// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks of the embedder that the calling thread is in. A callback may run while a session holds its
// locks, so it must not call that session again. The session checks this here and refuses the call.
#pragma once

namespace kiln {

/// Marks the calling thread as inside a callback of `owner` (a session's Log). Scopes nest.
class CallbackScope {
public:
  explicit CallbackScope(const void *owner);
  ~CallbackScope();
  CallbackScope(const CallbackScope &) = delete;
  CallbackScope &operator=(const CallbackScope &) = delete;
  static bool is_inside(const void *owner);
  /// Returns true inside a callback of either owner.
  static bool is_inside(const void *owner, const void *other);

private:
  const void *const owner_;
  const CallbackScope *const outer_;
};

} // namespace kiln
