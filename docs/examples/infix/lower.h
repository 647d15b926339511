// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers the syntax tree. Kiln infers the types.
#pragma once

#include "syntax.h"

#include <unordered_set>

namespace infix {

/// Scope of the names in a body.
struct Scope {
  kiln::World &world;
  kiln::Module &library; ///< searched first
  kiln::Module &into;    ///< the program's module
  const std::unordered_set<kiln::Symbol> &library_names;
  std::vector<kiln::Symbol> parameters = {};
  std::vector<kiln::Symbol> captures = {}; ///< of an array expression: fields of its closure
  bool is_unchecked = false;               ///< no bounds checks

  kiln::Module &home(kiln::Symbol name) const { return library_names.contains(name) ? library : into; }
};

/// True for functions of whole arrays, which the program calls on the host: sum(x), min(x), range(n).
bool is_of_arrays(const Node &node);
/// The name of the closure's field with the result of such a call.
kiln::Symbol field_of(kiln::TypeContext &types, const Node &node);

/// Appends a body and returns its value. In an array expression, argument 0 is the element's index. Errors:
/// Input, with the place.
kiln::Result<kiln::Operand> lower(kiln::BodyBuilder &code, const Scope &scope, const Node &body);

} // namespace infix
