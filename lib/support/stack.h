// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Size of the stack, and larger stacks. Parsing, lowering, inference, emission and LLVM's passes recurse as
// deep as a program nests. Their limits (the parser's levels, inference's nested calls) hold on any thread,
// because the work always has enough stack. It runs on the caller's stack if enough is left, else the same
// thread switches to a new stack.
#pragma once

#include <kiln/export.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace kiln {

/// Memory of a thread's stack, without guard pages.
struct StackBounds {
  const char *lowest;
  size_t bytes;
};
/// Bounds of the calling thread's initial stack. Costs some system calls. Empty: unknown.
std::optional<StackBounds> stack_of_this_thread();

/// Bytes from this frame to the end of the current stack. A thread's first call costs some system calls.
KILN_PROGRAMS_API size_t remaining_stack();

/// Stack in bytes that parsing, lowering, inference, emission and LLVM need at their limits. A main thread
/// usually has it.
KILN_PROGRAMS_API extern const size_t stack_for_limits;

namespace detail {
/// Runs `work` on a new stack, and rethrows its exceptions. False: no memory for a stack; `work` did not run.
KILN_PROGRAMS_API bool on_new_stack(void (*work)(void *), void *argument);
} // namespace detail

/// Calls fn() with at least `bytes` of stack. The thread and its thread-local variables stay the caller's. In
/// builds with sanitizers, a thread of its own does the work.
template <class Function> auto with_stack(size_t bytes, Function &&fn) -> std::invoke_result_t<Function> {
  using Value = std::invoke_result_t<Function>;
  if (remaining_stack() >= bytes) return std::forward<Function>(fn)();
  struct Call {
    Function &fn;
    std::optional<Value> value;
  } call{fn, {}};
  if (!detail::on_new_stack(
          [](void *at) {
            auto &call = *static_cast<Call *>(at);
            call.value.emplace(call.fn());
          },
          &call))
    return fn();
  return std::move(*call.value);
}

} // namespace kiln
