// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_stack.h"

#include <pthread.h>

#include <cstddef>

namespace kiln {

namespace {

// The frames of functions that do not call themselves have to fit too, with their local arrays.
constexpr size_t Reserve = size_t(256) << 10;

const void *find_limit() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  void *lowest = nullptr;
  size_t bytes = 0, guard = 0;
  bool known = pthread_attr_getstack(&attributes, &lowest, &bytes) == 0 && pthread_attr_getguardsize(&attributes, &guard) == 0;
  pthread_attr_destroy(&attributes);
  if (!known) return nullptr;
  // A thread with little stack keeps half of it.
  size_t reserve = bytes < 2 * Reserve ? bytes / 2 : Reserve;
  return static_cast<const char *>(lowest) + guard + reserve;
}

} // namespace

const void *stack_limit_of_this_thread() {
  thread_local const void *limit = find_limit();
  return limit;
}

} // namespace kiln
