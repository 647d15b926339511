// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which callbacks of the embedder the calling thread is in. A callback may run while a session holds
// its locks, so it must not call that session. The session detects such calls here and refuses them.
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
