// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "callback.h"

namespace kiln {

// Each launch reads this variable. The TLS model initial-exec avoids a call into the dynamic linker.
[[gnu::tls_model("initial-exec")]] static constinit thread_local const CallbackScope *innermost = nullptr;

CallbackScope::CallbackScope(const void *owner) : owner_(owner), outer_(innermost) { innermost = this; }
CallbackScope::~CallbackScope() { innermost = outer_; }

bool CallbackScope::is_inside(const void *owner) { return is_inside(owner, owner); }

bool CallbackScope::is_inside(const void *owner, const void *other) {
  for (const CallbackScope *scope = innermost; scope; scope = scope->outer_)
    if (scope->owner_ == owner || scope->owner_ == other) return true;
  return false;
}

} // namespace kiln
