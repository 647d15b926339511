// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses text to a syntax tree. Each node has its place in the file.
#pragma once

#include <kiln/extension/language.h>

namespace infix {

struct Node {
  enum class Kind {
    Literal,  ///< a number, true, false
    Name,     ///< a variable or a function
    Call,     ///< function `name` of the items; operators too
    And,      ///< items[0] and items[1]; evaluates the second only if needed
    Or,       ///< as And
    Index,    ///< items[0][items[1]]
    List,     ///< [items...]
    If,       ///< items: condition, then, optional else
    While,    ///< items: condition, body
    Block,    ///< { items... }
    Let,      ///< let name = items[0]
    Assign,   ///< name = items[0]
    Store,    ///< items[0][items[1]] = items[2]
    Return,   ///< return items[0] or nothing
    Function, ///< fn or kernel `name`: the parameters, then the body
    Parameter ///< name: `type`
  };
  Kind kind;
  kiln::Symbol name = {};
  kiln::Value literal = {};
  std::vector<Node> items = {};
  std::string type = {};  ///< of a Parameter: "f32", "[f32]", "[]", or empty for any
  bool is_kernel = false; ///< of a Function
  kiln::Span at = {};
};

/// All statements of a file. Error: Input, the first syntax error with its place.
kiln::Result<std::vector<Node>> parse(kiln::TypeContext &types, const kiln::SourceFile &file);

} // namespace infix
