// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "name_watch.h"
#include "tree.h"

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A parsed text and its syntax. Methods lowered from it later keep it alive.
struct Unit {
  SyntaxArena arena;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<const Unit> outer = nullptr; ///< owner of syntax that this unit refers to
};

/// Options of parse_file and parse_expression.
struct ParseOptions {
  NameWatch *names = nullptr;          ///< receives every name of the text; no body is then skipped
  std::span<const Span> left_out = {}; ///< statements to leave unparsed as Postponed nodes, in text order
};

/// Parses a whole file into a Toplevel node. Errors: Input "syntax error" with the place, up to 20 in one
/// Error, since the parser continues at the next statement. Nesting deeper than 1,000 levels is an error.
Result<Syntax *> parse_file(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                            const ParseOptions &options = {});

/// Parses one statement of a file at the given span. Errors: Input "syntax error".
Result<Syntax *> parse_statement(TypeContext &types, SyntaxArena &arena, const SourceFile &file, Span at);

/// Parses an Unread body. Files of the runtime library have bodies skipped at parsing where that is possible
/// at a glance; large files have bodies dropped after parsing. Other nodes are returned unchanged.
Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                 const Syntax &body);

/// Parses the statements of a library file that its index names.
Result<std::vector<Syntax *>> parse_embedded(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                             std::span<const EmbeddedStatement> wanted);

/// Parses exactly one expression (--arg, job signatures).
Result<Syntax *> parse_expression(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                  const ParseOptions &options = {});

} // namespace kiln::julia
