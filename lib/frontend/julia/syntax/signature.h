// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of a method's signature, read from its syntax.
#pragma once

#include "tree.h"

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

struct Parameter {
  Symbol name; ///< empty: unnamed
  uint32_t scope = 0;
  const Syntax *pattern = nullptr; ///< a Tuple that destructures the argument
  const Syntax *type = nullptr;    ///< null: Any
  const Syntax *default_value = nullptr;
  bool vararg = false;
  Span at;
};

struct SignatureSyntax {
  const Syntax *callee = nullptr; ///< null: anonymous
  std::vector<Parameter> positional;
  std::vector<Parameter> keywords;    ///< the last may be a slurp (vararg)
  std::vector<const Syntax *> wheres; ///< outermost first
  const Syntax *return_type = nullptr;
  Span at;
  /// index of the argument that is the called function or type: 0, or after the keywords in a keyword
  /// method's code
  uint32_t self_argument = 0;
};

/// Errors: Input "syntax error" with the place, located by `sources`.
Result<SignatureSyntax> parse_signature(TypeContext &types, const SourceMap &sources,
                                        const Syntax &signature);

/// True for a Function, or an Assign with a call on the left.
bool is_function_definition(const Syntax &node);
/// True if this expanded code contains definitions that only the top level supports.
bool may_define(const Syntax &node);
/// The definition's signature (args[0]); for an Arrow its parameters.
const Syntax &signature_of(const Syntax &definition);
const Syntax &body_of(const Syntax &definition);
/// Callee of a signature, below where and return type; null: none.
const Syntax *callee_of(const Syntax &signature);

} // namespace kiln::julia
