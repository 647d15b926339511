// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Represents a Python function as a tree without Python objects, so that any compiling thread can lower it
// without the GIL. Free names are already constants (freeze.cpp).
#pragma once

#include <kiln/extension/language.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kiln::python {

struct Function;

/// Kind of a node. The comment beside a kind lists the members of Node that the kind uses.
enum class Kind : uint8_t {
  // expressions
  Constant,  ///< value
  Known,     ///< function of the program: `function`
  Library,   ///< function of the library: `name`
  Property,  ///< function of the library that is called where it is read: cuda.threadIdx.x
  Local,     ///< name
  Tuple,     ///< items
  List,      ///< items; only for iteration
  Binary,    ///< name: library function; items: left, right
  Unary,     ///< name; items: operand
  Not,       ///< items: operand
  And,       ///< items
  Or,        ///< items
  Compare,   ///< items: n operands; names: n - 1 library functions
  IfElse,    ///< items: condition, then, else
  Call,      ///< items: callee, arguments; names: keyword of each argument, or empty
  Attribute, ///< name; items: object
  Subscript, ///< items: object, indices
  Slice,     ///< items: start, stop, step; each may be Missing
  Starred,   ///< items: value
  Walrus,    ///< items: Local, value
  Closure,   ///< function: the nested def or lambda
  Missing,   ///< absent operand
  // statements
  Assign,     ///< items: value, targets
  Augmented,  ///< name; items: target, value
  Expression, ///< items: value
  If,         ///< items: condition, Block, Block
  While,      ///< items: condition, body Block, else Block
  For,        ///< items: target, iterable, body Block, else Block
  Return,     ///< items: value or none
  Break,
  Continue,
  Raise,  ///< name: exception class; text: its message
  Assert, ///< items: condition; text: its message
  Match,  ///< items: subject, Cases
  Case,   ///< items: the pattern's condition (Missing: always true), guard or Missing, Block
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

/// A Python function of the program. In Kiln it becomes a generic function with one untyped method.
struct Function {
  Symbol name;           ///< for messages and entries
  std::string qualified; ///< module and qualified name
  std::vector<ParameterName> parameters;
  bool is_vararg = false; ///< the last parameter is *args
  std::vector<Symbol> locals;
  std::vector<Symbol> captures; ///< variables of outer functions that this function uses
  Node body;
  Span at;
  std::shared_ptr<const SourceFile> file;
  MethodHints hints;
  bool is_kernel = false;
  bool has_walrus = false;
  bool is_lambda = false;
  Fingerprint identity; ///< digest of the source text and of all frozen values
  Value value;          ///< function in the World; guarded by the World's evaluation lock until is_defined
  std::atomic<bool> is_defined = false; ///< the World has the method of `value`, and those of its callees
  bool is_converting = false;
  std::vector<std::shared_ptr<Function>> callees; ///< functions of the program that this function refers to
};

} // namespace kiln::python
