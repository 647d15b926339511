// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the remaining stack, and runs work on larger stacks. Parsing, lowering, inference, emission and
// LLVM's passes recurse as deep as a program nests. Their nesting limits must hold on any thread, whatever
// its stack size. Work therefore runs on the caller's stack if enough is left; else the same thread switches
// to a new stack.
#pragma once

#include <kiln/export.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace kiln {

/// Lowest and highest address of a thread's stack, without guard pages.
struct StackBounds {
  const char *lowest;
  size_t bytes;
};
/// Returns the bounds of the stack with which the calling thread was started. Costs some system calls. No
/// value: unknown.
std::optional<StackBounds> stack_of_this_thread();

/// Returns the bytes that are left on the current stack. A thread's first call costs some system calls.
KILN_PROGRAMS_API size_t remaining_stack();

/// Bytes of stack that parsing, lowering, inference, emission and LLVM need at their nesting limits. A
/// program's main thread usually has so much.
KILN_PROGRAMS_API extern const size_t stack_for_limits;

namespace detail {
/// Runs `work` on a new stack, and rethrows its exceptions. Returns false if there is no memory for a stack;
/// `work` did not run then.
KILN_PROGRAMS_API bool on_new_stack(void (*work)(void *), void *argument);
} // namespace detail

/// Calls fn() with at least `bytes` of stack, on the same thread, so that thread-local variables are the
/// caller's. In builds with sanitizers, a new thread calls fn() instead.
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
