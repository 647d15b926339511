// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --ndrange and --workgroupsize: the iteration space of a @kernel as the hidden first argument that it takes.
#pragma once

#include "options.h"

namespace kiln::tool {

/// The context as an expression of the language; empty where neither option was given. Error: Usage.
Result<std::string> context_expression(const CompileOptions &options);
/// Threads and groups of a launch over the context that the expression gives.
Result<LaunchShape> shape_of_context(Session &session, const std::string &expression);

} // namespace kiln::tool
