// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_stack.h"

#include <support/stack.h>

#include <cstddef>
#include <optional>

namespace kiln {

namespace {

// Stack reserve in bytes for functions without recursion and their local arrays.
constexpr size_t Reserve = size_t(256) << 10;

struct OwnStack { ///< stack of the thread itself
  const char *lowest = nullptr;
  const void *limit = nullptr;
};

OwnStack find_own() {
  const std::optional<StackBounds> stack = stack_of_this_thread();
  if (!stack) return {};
  // On a stack smaller than twice the reserve, reserve half of the stack.
  return {stack->lowest, stack->lowest + (stack->bytes < 2 * Reserve ? stack->bytes / 2 : Reserve)};
}

} // namespace

const void *stack_limit_of_this_thread() {
  thread_local const OwnStack own = find_own();
  if (!own.limit) return nullptr;
  const char *frame = static_cast<const char *>(__builtin_frame_address(0));
  const char *lowest = frame - remaining_stack();
  if (lowest - own.lowest < ptrdiff_t(Reserve) && own.lowest - lowest < ptrdiff_t(Reserve)) return own.limit;
  return lowest + Reserve; // with_stack switched to another stack
}

} // namespace kiln
