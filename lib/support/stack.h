// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much stack there is, and more of it. Parsing, lowering, inference, emission and LLVM's passes recurse
// as deep as a program nests. Their limits (the parser's levels, inference's nested calls) hold on any thread
// because the work is done with enough stack for them: on the caller's if that has enough left, else on one
// of its own, which the same thread changes to.
#pragma once

#include <kiln/export.h>

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

namespace kiln {

/// The memory of a thread's stack, guard pages left out.
struct StackBounds {
  const char *lowest;
  size_t bytes;
};
/// That of the calling thread, as it was started with: some system calls. Nothing where the system does not
/// tell.
std::optional<StackBounds> stack_of_this_thread();

/// Bytes from this frame to the end of the stack that the calling thread is on. The first call of a thread
/// costs some system calls.
KILN_PROGRAMS_API size_t remaining_stack();

/// What parsing, lowering, inference, emission and LLVM take at their limits. A main thread has it as a rule.
KILN_PROGRAMS_API extern const size_t stack_for_limits;

namespace detail {
/// On a stack of its own; exceptions of `work` come out of it. False: there is no memory for one, and nothing
/// was done.
KILN_PROGRAMS_API bool on_new_stack(void (*work)(void *), void *argument);
} // namespace detail

/// fn(), with at least `bytes` of stack. Thread-local variables and the thread itself stay the caller's. (In
/// builds with sanitizers a thread of its own does the work.)
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
