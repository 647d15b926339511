// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_stack.h"

#include <support/stack.h>

#include <cstddef>
#include <optional>

namespace kiln {

namespace {

// The frames of functions that do not call themselves have to fit too, with their local arrays.
constexpr size_t Reserve = size_t(256) << 10;

const void *find_limit() {
  const std::optional<StackBounds> stack = stack_of_this_thread();
  if (!stack) return nullptr;
  // A thread with little stack keeps half of it.
  return stack->lowest + (stack->bytes < 2 * Reserve ? stack->bytes / 2 : Reserve);
}

} // namespace

const void *stack_limit_of_this_thread() {
  thread_local const void *limit = find_limit();
  return limit;
}

} // namespace kiln
