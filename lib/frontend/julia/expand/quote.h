// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quoted code: as values of type Expr, and with names put in for `$name` without making any value.
#pragma once

#include "expander.h"

#include <map>

namespace kiln::julia {

/// What `$name` stands for.
using Substitution = std::map<std::string, const Syntax *, std::less<>>;

/// A copy of quoted code with its interpolations replaced. An interpolated name that `names` lacks, or an
/// expression that is more than Symbol(...), QuoteNode(...), string(...) of such names, is an error.
/// Identifiers of the copy get `scope`, but for what stands in esc(...) and for arguments put in there.
Result<Syntax *> substitute(Shared &shared, SyntaxArena &arena, const Syntax &quoted,
                            const Substitution &names, uint32_t scope = 0, int depth = 0);
/// The value of such an expression (the inside of `$( )`) as syntax.
Result<Syntax *> substitute_expression(Shared &shared, SyntaxArena &arena, const Syntax &expression,
                                       const Substitution &names, uint32_t scope = 0);

/// Code that builds the quoted code as an Expr: Expr(:call, :+, x, 1).
Syntax *quote_to_calls(Expander &expander, const Syntax &quoted, int depth = 0);

/// A LineNumberNode of a place in the text: the second argument of a macro's call, __source__.
Value line_node(const Shared &shared, Span at);

/// Expr values and back.
Value syntax_to_value(Shared &shared, const Syntax &node);
/// Errors: more nodes than `max_nodes`, for one Expr may stand in others many times; one that nests too deep.
Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes = 2'000'000);

} // namespace kiln::julia
