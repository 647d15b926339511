// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catches exceptions of an embedder's target. Its functions are called in many places, and many return no
// Result. Exceptions are therefore caught where a job begins, and where a thread waits for a job's product.
#pragma once

#include "exceptions.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace kiln {

/// Calls `function`, which returns a Result. `function` may call the target of `config` (a CompilerConfig),
/// its assembler or its device library. An exception becomes a Usage error that names the target.
template <class Config, class F> std::invoke_result_t<F> guard_target(const Config &config, F &&function) {
  return call_embedder([&] { return fmt::format("the target {}", config.target.name()); },
                       std::forward<F>(function));
}

} // namespace kiln
