// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "name_watch.h"
#include "tree.h"

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A parsed text and its syntax; kept alive by the methods that are lowered from it later.
struct Unit {
  SyntaxArena arena;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<const Unit> outer = nullptr; ///< whose syntax this one's refers to
};

/// How parse_file and parse_expression read a text.
struct ParseOptions {
  NameWatch *names = nullptr;          ///< sees every name of the text; then no body is skipped
  std::span<const Span> left_out = {}; ///< statements, in text order, that become unread Postponed nodes
};

/// Parses a whole file into a Toplevel node. Errors: Input "syntax error" with the place; up to 20 of them in
/// one Error (the parser goes on at the next statement). Nesting deeper than 1,000 levels is an error.
Result<Syntax *> parse_file(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                            const ParseOptions &options = {});

/// One statement of a file, which stands there and ends there. Errors: Input "syntax error".
Result<Syntax *> parse_statement(TypeContext &types, SyntaxArena &arena, const SourceFile &file, Span at);

/// Of the files of the runtime library, bodies that can be told at a glance are skipped, and of large files
/// bodies are not kept: they are Unread nodes, which this parses. Any other node is its own result.
Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                 const Syntax &body);

/// The statements of such a file that its index names.
Result<std::vector<Syntax *>> parse_embedded(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                             std::span<const EmbeddedStatement> wanted);

/// Parses exactly one expression (--arg, job signatures).
Result<Syntax *> parse_expression(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                  const ParseOptions &options = {});

} // namespace kiln::julia
