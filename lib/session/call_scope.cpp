// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_scope.h"

namespace kiln {

Error CallGate::refused() const {
  if (!is_of_this_process()) return of_parent_process();
  if (is_closing() && !is_inside_callback())
    return usage_error(
        "a call of a session that is being closed (from CompileFuture::then, say, which hears of jobs that its "
        "end cancelled): note what is left, and open another session for it");
  if (!CallbackScope::is_inside(&log_))
    return usage_error(
        "a call of a session from a host function in a kernel of its own: note what is wanted, and call when "
        "the kernel has ended");
  return usage_error(
      "a call of a session from within a callback of its own (SessionOptions::log, "
      "SessionOptions::store, Session::define, Session::observe): it may hold locks that the call needs; note what is wanted, and call "
      "when the callback has returned");
}

} // namespace kiln
