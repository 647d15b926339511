// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam to an embedder's target: its functions are asked everywhere, and many give no error, so what they
// throw is caught where a job begins, and where something waits for what they make.
#pragma once

#include "exceptions.h"

#include <fmt/format.h>

#include <type_traits>
#include <utility>

namespace kiln {

/// Calls `function`, which gives a Result and may ask the target of `config`, a CompilerConfig, its assembler
/// or its device library. What it throws is a Usage error that names the target.
template <class Config, class F> std::invoke_result_t<F> guard_target(const Config &config, F &&function) {
  return call_embedder([&] { return fmt::format("the target {}", config.target.name()); },
                       std::forward<F>(function));
}

} // namespace kiln
