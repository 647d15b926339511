// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quoted code: as values of type Expr, or with `$name` substituted directly in syntax.
#pragma once

#include "expander.h"

#include <map>

namespace kiln::julia {

/// Syntax for each `$name`.
using Substitution = std::map<std::string, const Syntax *, std::less<>>;

/// Copies quoted code and replaces its interpolations. Error: an interpolated name that `names` lacks, or an
/// expression other than Symbol(...), QuoteNode(...), string(...) of such names. Identifiers of the copy get
/// `scope`, except inside esc(...) and in inserted arguments.
Result<Syntax *> substitute(Shared &shared, SyntaxArena &arena, const Syntax &quoted,
                            const Substitution &names, uint32_t scope = 0, int depth = 0);
/// Syntax for the value of such an expression (the inside of `$( )`).
Result<Syntax *> substitute_expression(Shared &shared, SyntaxArena &arena, const Syntax &expression,
                                       const Substitution &names, uint32_t scope = 0);

/// Code that builds the quoted code as an Expr: Expr(:call, :+, x, 1).
Syntax *quote_to_calls(Expander &expander, const Syntax &quoted, int depth = 0);

/// LineNumberNode of a place in the text: __source__, the second argument of a macro call.
Value line_node(const Shared &shared, Span at);

/// Conversions between syntax and Expr values.
Value syntax_to_value(Shared &shared, const Syntax &node);
/// Errors: more than `max_nodes` nodes, since an Expr may be shared many times; nesting that is too deep.
Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes = 2'000'000);

} // namespace kiln::julia
