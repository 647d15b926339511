// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "name_watch.h"
#include "tree.h"

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A parsed text and its syntax. Methods that are lowered from it later keep it alive.
struct Unit {
  SyntaxArena arena;
  std::shared_ptr<const SourceFile> file;
  std::shared_ptr<const Unit> outer = nullptr; ///< owner of other syntax to which this one refers
};

/// Options of parse_file and parse_expression.
struct ParseOptions {
  /// Gets every name of the text, so that no body is skipped; may be null.
  NameWatch *names = nullptr;
  std::span<const Span> left_out = {}; ///< statements that become Postponed nodes, unparsed, in text order
};

/// Parses a file into a Toplevel node. Error: Input "syntax error", with up to 20 diagnostics, since the
/// parser continues at the next statement. Nesting deeper than 1,000 levels is an error.
Result<Syntax *> parse_file(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                            const ParseOptions &options = {});

/// Parses the one statement of a file that is at the given span. Error: Input "syntax error".
Result<Syntax *> parse_statement(TypeContext &types, SyntaxArena &arena, const SourceFile &file, Span at);

/// Parses an Unread node, which stands for the body of a function. In files of the runtime library, bodies
/// that are easy to delimit are skipped at first. In large files, bodies are dropped after parsing. Other
/// nodes are returned unchanged.
Result<const Syntax *> read_body(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                 const Syntax &body);

/// Parses those statements of a library file that `wanted` lists, from the file's index.
Result<std::vector<Syntax *>> parse_embedded(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                             std::span<const EmbeddedStatement> wanted);

/// Parses a text that must be a single expression, such as --arg or a job's signature.
Result<Syntax *> parse_expression(TypeContext &types, SyntaxArena &arena, const SourceFile &file,
                                  const ParseOptions &options = {});

} // namespace kiln::julia
