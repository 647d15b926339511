// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A Python function as a tree without Python objects, so that any compiling thread can lower it without the
// GIL. Free names are already constants (freeze.cpp).
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
  Known,     ///< function of the program: `function`
  Library,   ///< function of the library: `name`
  Property,  ///< as Library, called at its use without arguments: cuda.threadIdx.x
  Local,     ///< name
  Tuple,     ///< items
  List,      ///< items; only for iteration
  Binary,    ///< name: library function; items: left, right
  Unary,     ///< name; items: operand
  Not,       ///< items: operand
  And,       ///< items
  Or,        ///< items
  Compare,   ///< items: operands; names: library functions, one fewer
  IfElse,    ///< items: condition, then, else
  Call,      ///< items: callee, arguments; names: one per argument, empty for positional ones
  Attribute, ///< name; items: object
  Subscript, ///< items: object, indices
  Slice,     ///< items: start, stop, step; each may be Missing
  Starred,   ///< items: value
  Walrus,    ///< items: Local, value
  Closure,   ///< function: a nested def or a lambda
  Missing,   ///< absent operand
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
  Raise,  ///< name: exception class; text: its message
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
  std::optional<Node> standard; ///< default value
};

/// A function of the program: a generic function in Kiln with one untyped method.
struct Function {
  Symbol name;           ///< for messages and entries
  std::string qualified; ///< module and qualified name
  std::vector<ParameterName> parameters;
  bool is_vararg = false; ///< the last parameter is *args
  std::vector<Symbol> locals;
  std::vector<Symbol> captures; ///< variables of outer functions that a closure uses
  Node body;
  Span at;
  std::shared_ptr<const SourceFile> file;
  MethodHints hints;
  bool is_kernel = false;
  bool has_walrus = false;
  bool is_lambda = false;
  Fingerprint identity; ///< of its text and of all its frozen values
  Value value;          ///< in the World, after its definition
  bool is_converting = false;
  std::vector<std::shared_ptr<Function>> callees; ///< functions of the program that it refers to
  /// Arrays of the program that are frozen in the code: kept alive with it.
};

} // namespace kiln::python
