// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python function as lowering reads it: a tree without Python objects, so that bodies are built without the
// GIL on whichever thread compiles. Free names are constants already (resolve.h).
#pragma once

#include <kiln/extension/language.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::python {

struct Function;

enum class Kind : uint8_t {
  // expressions
  Constant,  ///< value
  Known,     ///< a function of the program: `function`
  Library,   ///< a function of the library: `name`
  Property,  ///< as Library, called without arguments where it is named: cuda.threadIdx.x
  Local,     ///< name
  Tuple,     ///< items
  List,      ///< items; only to be iterated over
  Binary,    ///< name: of the library's function; items: left, right
  Unary,     ///< name; items: operand
  Not,       ///< items: operand
  And,       ///< items
  Or,        ///< items
  Compare,   ///< items: operands; names: one function fewer
  IfElse,    ///< items: condition, then, else
  Call,      ///< items: callee, arguments; names: one an argument, empty for positional ones
  Attribute, ///< name; items: object
  Subscript, ///< items: object, indices
  Slice,     ///< items: start, stop, step, each perhaps Missing
  Starred,   ///< items: value
  Walrus,    ///< items: Local, value
  Closure,   ///< function: a nested def or a lambda
  Missing,   ///< an operand that is not there
  // statements
  Assign,     ///< items: value, targets
  Augmented,  ///< name; items: target, value
  Expression, ///< items: value
  If,         ///< items: condition, Block, Block
  While,      ///< items: condition, Block, Block of else
  For,        ///< items: target, iterable, Block, Block of else
  Return,     ///< items: value or none
  Break,
  Continue,
  Raise,  ///< name: of the exception's class, text: its message
  Assert, ///< items: condition; text: its message
  Match,  ///< items: subject, Cases
  Case,   ///< items: pattern as a condition on the subject (Missing: always), guard or Missing, Block
  Block,  ///< items
};

struct Node {
  Kind kind = Kind::Missing;
  Span at;
  Symbol name;
  Value value;
  std::vector<Node> items;
  std::vector<Symbol> names;
  std::string text;
  std::shared_ptr<Function> function;
};

struct ParameterName {
  Symbol name;
  std::optional<Node> standard; ///< its default
};

/// A function of the program: one generic function of Kiln's with one untyped method.
struct Function {
  Symbol name;           ///< as in messages and entries
  std::string qualified; ///< module and qualified name
  std::vector<ParameterName> parameters;
  bool is_vararg = false; ///< the last parameter is *args
  std::vector<Symbol> locals;
  std::vector<Symbol> captures; ///< of a closure: variables of the functions around it
  Node body;
  Span at;
  std::shared_ptr<const SourceFile> file;
  MethodHints hints;
  bool is_kernel = false;
  bool has_walrus = false;
  bool is_lambda = false;
  Fingerprint identity; ///< of its text and of all that is frozen in it
  Value value;          ///< of the World, once it is defined
  bool is_converting = false;
  std::vector<std::shared_ptr<Function>> callees; ///< all functions of the program that it names
  /// Arrays of the program that are frozen in it: kept while the code is.
};

} // namespace kiln::python
