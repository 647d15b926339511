// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "syntax.h"

namespace kiln::julia {

/// Parses a whole file into a Toplevel node. Errors: Input "syntax error" with the place; up to 20 of them in
/// one Error (the parser goes on at the next statement). Nesting deeper than 1,000 levels is an error.
Result<Syntax *> parse_file(TypeContext &types, SyntaxArena &arena, const SourceFile &file);

/// Of the files of the runtime library, bodies that can be told at a glance are skipped: they are Unread nodes, which this
/// parses. Any other node is its own result.
Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file, const Syntax &body);

/// Of those files, whole definitions of functions are skipped too, and loops of @eval: Unread nodes at top level, which this
/// parses. Their arguments are the names of the functions; with `qualified` as their scope, module and name of one.
enum UnreadDefinition : uint32_t { plain, qualified, loop };
Result<const Syntax *> read_definition(TypeContext &types, SyntaxArena &arena, const SourceFile &file, const Syntax &definition);

/// Parses exactly one expression (--arg, job signatures).
Result<Syntax *> parse_expression(TypeContext &types, SyntaxArena &arena, const SourceFile &file);

} // namespace kiln::julia
