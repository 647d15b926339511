// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns exceptions of embedders' callbacks into errors at the call of the callback, so that no exception
// passes through Kiln's own code.
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/result.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

/// Returns the text of the exception that is being handled. Call it in a catch clause.
std::string text_of_current_exception();

/// Makes an error of the exception that is being handled: "`what_failed`: text of the exception". Call it in
/// a catch clause. The error is Usage, because callbacks must not throw; Machine if memory is exhausted.
Error error_of_current_exception(std::string_view what_failed, Location at = {});

/// Calls the embedder's `function`, which returns a Result. Turns an exception into an error that names the
/// function as `who`: a text, or a function that returns the text.
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
