// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing for tests: text to S-expression, or to "line:column: message" of every error.
#pragma once

#include <syntax/syntax.h>

namespace parser_test {

struct Parsed {
  std::string tree;                ///< statements' S-expressions, one a line; empty after an error
  std::vector<std::string> errors; ///< "line:column: message"
};

inline std::vector<std::string> errors_of(const kiln::Error &error) {
  std::vector<std::string> out;
  for (const kiln::Diagnostic &d : error.diagnostics()) {
    kiln::LineColumn at = d.at ? d.at.file->position(d.at.begin) : kiln::LineColumn{};
    out.push_back(fmt::format("{}:{}: {}", at.line, at.column, d.message));
  }
  return out;
}

inline Parsed parse(std::string text) {
  kiln::TypeContext types;
  kiln::SourceMap map;
  kiln::julia::SyntaxArena arena;
  auto file = map.add("test.jl", std::move(text));
  auto result = kiln::julia::parse_file(types, arena, *file);
  if (!result) return {{}, errors_of(result.error())};
  std::string tree;
  for (const kiln::julia::Syntax *s : (*result)->args) tree += (tree.empty() ? "" : "\n") + to_sexpr(*s);
  return {tree, {}};
}

/// The tree, or the errors, so that a failing test shows them.
inline std::string sexpr(std::string text) {
  Parsed p = parse(std::move(text));
  if (p.errors.empty()) return p.tree;
  std::string all = "ERROR";
  for (const std::string &e : p.errors) all += " " + e;
  return all;
}

} // namespace parser_test
