// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_scope.h"

namespace kiln {

Error of_parent_process() {
  return usage_error(
      "this session, or what a handle belongs to, was opened by the process that this one was forked from: "
      "open a session here (Session::open), or call exec; what came along may be destroyed, and does "
      "nothing else");
}

Error CallScope::refused() const {
  if (!state_.runtime->is_of_this_process()) return of_parent_process();
  return usage_error(
      "a call of a session from within a callback of its own (SessionOptions::log, "
      "SessionOptions::store, Session::define): it may hold locks that the call needs; note what is wanted, and call "
      "when the callback has returned");
}

} // namespace kiln
