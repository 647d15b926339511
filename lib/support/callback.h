// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which callbacks of the embedder the calling thread is in. A callback may run while a session holds
// its locks, so it must not call that session. The session detects such calls here and refuses them.
#pragma once

namespace kiln {

/// Marks the calling thread as inside a callback while the scope lives. `owner` is the address of an object
/// that identifies the session, such as its Log. Scopes nest.
class CallbackScope {
public:
  explicit CallbackScope(const void *owner);
  ~CallbackScope();
  CallbackScope(const CallbackScope &) = delete;
  CallbackScope &operator=(const CallbackScope &) = delete;
  static bool is_inside(const void *owner);
  /// Returns true if the calling thread is inside a callback of `owner` or `other`.
  static bool is_inside(const void *owner, const void *other);

private:
  const void *const owner_;
  const CallbackScope *const outer_;
};

} // namespace kiln
