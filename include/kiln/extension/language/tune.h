// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tuner (kiln/tune.h) with argument expressions that the caller evaluates. It serves callers with a
// special syntax, such as `@file.npy` of the program kiln.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/value.h>
#include <kiln/tune.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Evaluates the argument expressions of a search, on the thread that called tune() or tuned().
struct ArgumentSource {
  /// Returns the value of the expression `text`. `name` is the text's name in messages.
  std::function<Result<Value>(const std::string &name, const std::string &text)> evaluate;
  /// Returns arrays to which values hold pointers without owning them. Empty: there are no such arrays.
  std::function<std::vector<std::shared_ptr<HostArray>>()> arrays = {};
};

/// Like tune() of kiln/tune.h, with expressions that `source` evaluates. Errors: also those of `source`.
KILN_API Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, ArgumentSource source);
KILN_API Result<TuneResult> tuned(Session &session, const Device &device, const TuneRequest &request,
                                  const TuneOptions &options, ArgumentSource source);

} // namespace kiln
