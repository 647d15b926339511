// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of a method's signature, read off its syntax.
#pragma once

#include "tree.h"

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

struct Parameter {
  Symbol name; ///< empty: unnamed
  uint32_t scope = 0;
  const Syntax *pattern = nullptr; ///< a Tuple that the argument is destructured into
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
  uint32_t self_argument = 0; ///< the argument that is the called function or type itself: 0, or behind the
                              ///< keywords in the code of a method with keywords
};

/// Errors: Input "syntax error" with the place, which `sources` tells.
Result<SignatureSyntax> parse_signature(TypeContext &types, const SourceMap &sources,
                                        const Syntax &signature);

/// Is this a function definition: Function, or an Assign with a call on the left?
bool is_function_definition(const Syntax &node);
/// Does this code, as a macro expands to it, define something that only the top level can?
bool may_define(const Syntax &node);
/// Its signature (args[0]); for an Arrow its parameters.
const Syntax &signature_of(const Syntax &definition);
const Syntax &body_of(const Syntax &definition);
/// The callee of a signature, below where and return type; null if there is none.
const Syntax *callee_of(const Syntax &signature);

} // namespace kiln::julia
