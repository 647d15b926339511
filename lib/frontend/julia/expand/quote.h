// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles quoted code: converts it to values of type Expr, or substitutes `$name` directly in syntax.
#pragma once

#include "expander.h"

#include <map>

namespace kiln::julia {

/// Syntax for each `$name`.
using Substitution = std::map<std::string, const Syntax *, std::less<>>;

/// Copies quoted code and replaces its interpolations. Errors: an interpolated name that `names` lacks; an
/// expression other than Symbol(...), QuoteNode(...), string(...) of such names. Identifiers of the copy get
/// `scope`, except inside of esc(...) and in inserted arguments.
Result<Syntax *> substitute(Shared &shared, SyntaxArena &arena, const Syntax &quoted,
                            const Substitution &names, uint32_t scope = 0, int depth = 0);
/// Returns the syntax that replaces one interpolation. `expression`: the code inside of `$( )`.
Result<Syntax *> substitute_expression(Shared &shared, SyntaxArena &arena, const Syntax &expression,
                                       const Substitution &names, uint32_t scope = 0);

/// Makes code that builds the Expr of quoted code when it runs, such as Expr(:call, :+, x, 1).
Syntax *quote_to_calls(Expander &expander, const Syntax &quoted, int depth = 0);

/// Returns the LineNumberNode of a source position, which macros get as __source__ (the second argument of a
/// macro call).
Value line_node(const Shared &shared, Span at);

/// Converts syntax to an Expr value, or to a symbol or literal. `caller`: scope of the macro call that gets
/// the value. Identifiers of the expansions around it become Expr(:escape, x).
Value syntax_to_value(Shared &shared, const Syntax &node, uint32_t caller = 0);
/// Converts an Expr value to syntax. Errors: more than `max_nodes` nodes, since a value may contain the same
/// Expr many times; too deep nesting.
Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes = 2'000'000);

} // namespace kiln::julia
