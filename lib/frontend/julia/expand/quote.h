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

/// A dotted call as Julia quotes it: `a .+ b` is a call of `.+`, and `f.(x)` is a Dot of f and a tuple.
struct QuotedDotCall {
  Syntax whole, part; ///< `part`: the name `.+`, or the tuple
  QuotedDotCall(const Shared &shared, const Syntax &dotted);
};

/// Makes code that builds the Expr of quoted code when it runs, such as Expr(:call, :+, x, 1).
/// `definition`: place of the definition whose body `quoted` is.
Syntax *quote_to_calls(Expander &expander, const Syntax &quoted, int depth = 0, Span definition = {});

/// True if the code contains an identifier of this name.
bool holds_name(const Syntax &node, std::string_view name);

/// Returns the LineNumberNode of a source position, which macros get as __source__ (the second argument of a
/// macro call).
Value line_node(const Shared &shared, Span at);
/// Returns GlobalRef(Core, Symbol("@doc")), the macro of a docstring's quoted form.
Value doc_macro(const Shared &shared);

/// Returns true if a LineNumberNode stands before argument `index` of quoted code. An empty block has one
/// too.
bool has_line(const Syntax &node, size_t index);
/// Returns the number of arguments of quoted code: a `try` ends with its last block.
size_t quoted_size(const Syntax &node);
/// Returns argument `index` of code as Julia quotes it: a let's only binding is no block.
const Syntax &quoted_child(const Syntax &node, size_t index);

/// Converts syntax to an Expr value, or to a symbol or literal. `caller`: scope of the macro call that gets
/// the value. Identifiers of the expansions around it become Expr(:escape, x).
Value syntax_to_value(Shared &shared, const Syntax &node, uint32_t caller = 0);
/// Converts an Expr value to syntax. Errors: more than `max_nodes` nodes, since a value may contain the same
/// Expr many times; too deep nesting. `prints`: keeps line numbers, which the text of code shows.
Result<Syntax *> value_to_syntax(Shared &shared, SyntaxArena &arena, const Value &value, Span at,
                                 uint64_t max_nodes = 2'000'000, bool prints = false);

} // namespace kiln::julia
