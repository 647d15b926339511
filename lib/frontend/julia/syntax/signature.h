// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the parts of a method's signature from its syntax.
#pragma once

#include "tree.h"

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

struct Parameter {
  Symbol name; ///< empty: unnamed
  uint32_t scope = 0;
  const Syntax *pattern = nullptr; ///< a Tuple node that destructures the argument; null: none
  const Syntax *type = nullptr;    ///< null: Any
  const Syntax *default_value = nullptr;
  bool vararg = false;
  Span at;
};

struct SignatureSyntax {
  const Syntax *callee = nullptr; ///< null: anonymous
  std::vector<Parameter> positional;
  std::vector<Parameter> keywords;    ///< the last one may collect the remaining keywords (vararg)
  std::vector<const Syntax *> wheres; ///< outermost first
  const Syntax *return_type = nullptr;
  Span at;
  /// Index of the argument that is the called function or type. It is 0, except in the method with the code
  /// of a function with keywords, where it follows the keywords.
  uint32_t self_argument = 0;
};

/// Reads a signature. Error: Input "syntax error", with the place that `sources` gives.
Result<SignatureSyntax> parse_signature(TypeContext &types, const SourceMap &sources,
                                        const Syntax &signature);

/// True for a Function node, and for an Assign node with a call on the left (f(x) = ...).
bool is_function_definition(const Syntax &node);
/// True if expanded code contains definitions that are allowed only at top level.
bool may_define(const Syntax &node);
/// Returns the signature of a definition (args[0]); for an Arrow node these are its parameters.
const Syntax &signature_of(const Syntax &definition);
const Syntax &body_of(const Syntax &definition);
/// Returns the callee of a signature, without `where` and return type; null: an anonymous function.
const Syntax *callee_of(const Syntax &signature);

} // namespace kiln::julia
