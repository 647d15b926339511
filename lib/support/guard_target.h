// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Catches exceptions of an embedder's Target. Many functions of Target return no Result and are called in
// many places. Their exceptions are therefore caught at a few outer calls: where a job begins, and where a
// thread waits for a job's product.
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
