// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which callbacks of the embedder's the calling thread is in. A callback that may be called while a session
// holds locks of its own must not call that session again: the session asks here, and refuses.
#pragma once

namespace kiln {

/// The calling thread is in a callback of `owner`'s (a session's Log) as long as it lives. They nest.
class CallbackScope {
public:
  explicit CallbackScope(const void *owner);
  ~CallbackScope();
  CallbackScope(const CallbackScope &) = delete;
  CallbackScope &operator=(const CallbackScope &) = delete;
  static bool is_inside(const void *owner);
  /// In one of either's.
  static bool is_inside(const void *owner, const void *other);

private:
  const void *const owner_;
  const CallbackScope *const outer_;
};

} // namespace kiln
