// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exceptions of embedders' callbacks, which Kiln turns into errors where it calls them: behind that seam
// nothing throws.
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/result.h>

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace kiln {

/// In a catch clause: what the exception says.
std::string text_of_current_exception();

/// In a catch clause: the error that begins with `what_failed` and goes on with what the exception says.
/// Usage, for callbacks must not throw; Machine, if no memory is left.
Error error_of_current_exception(std::string_view what_failed, Location at = {});

/// Calls `function`, which is the embedder's and gives a Result. What it throws is an error that names `who`:
/// a text, or a function that makes it when it is needed.
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
