// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions of embedders' callbacks. Kiln turns them into errors at the call, so that no exception passes
// through its own code.
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/result.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

/// Text of the exception. Call it in a catch clause.
std::string text_of_current_exception();

/// Error of the exception, "`what_failed`: its text". Call it in a catch clause. Usage, because callbacks
/// must not throw; Machine if memory is exhausted.
Error error_of_current_exception(std::string_view what_failed, Location at = {});

/// Calls the embedder's `function`, which returns a Result. Turns an exception into an error that names
/// `who`: a text, or a function that makes the text on demand.
template <class Who, std::invocable F> std::invoke_result_t<F> call_embedder(Who &&who, F &&function) {
  try {
    return function();
  } catch (...) {
    if constexpr (std::is_invocable_v<Who>)
      return error_of_current_exception(std::string(who()) + " threw an exception");
    else
      return error_of_current_exception(std::string(who) + " threw an exception");
  }
}

} // namespace kiln
