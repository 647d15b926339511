// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads text as forms: lists, names, literals. Each has its place in the file.
#pragma once

#include <kiln/extension/language.h>

namespace lisp {

struct Node {
  enum class Kind { List, Name, Literal };
  Kind kind = Kind::List;
  kiln::Symbol name;       ///< Name
  kiln::Value literal;     ///< Literal: a number, a string, a quoted name, true, false, nothing
  std::vector<Node> items; ///< List
  kiln::Span at;

  bool is_list() const { return kind == Kind::List; }
  bool is_name() const { return kind == Kind::Name; }
  std::string_view text() const { return name.text(); } ///< of a Name, else empty
  bool starts(std::string_view head) const { return is_list() && !items.empty() && items[0].text() == head; }
};

/// Reads all forms of a file. Error: Input, a syntax error with its place.
kiln::Result<std::vector<Node>> read(kiln::TypeContext &types, const kiln::SourceFile &file);

/// An error in the program, at a form.
kiln::Error fault(kiln::SourceMap &sources, const Node &at, kiln::ErrorCode code, std::string message,
                  std::string hint = {});

} // namespace lisp
