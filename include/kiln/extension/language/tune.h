// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches (kiln/tune.h) whose argument expressions the caller evaluates, for programs with syntax of their
// own, such as `@file.npy` of the program kiln.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/value.h>
#include <kiln/tune.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Evaluates the arguments of a search. The functions are called on the thread that searches.
struct ArgumentSource {
  /// The value of the expression `text`. `name` is for messages.
  std::function<Result<Value>(const std::string &name, const std::string &text)> evaluate;
  /// Arrays that values point to without owning them. Empty: none.
  std::function<std::vector<std::shared_ptr<HostArray>>()> arrays = {};
};

/// tune() and tuned() with expressions evaluated by `source`. Errors: also those of `source`.
KILN_API Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, ArgumentSource source);
KILN_API Result<TuneResult> tuned(Session &session, const Device &device, const TuneRequest &request,
                                  const TuneOptions &options, ArgumentSource source);

} // namespace kiln
