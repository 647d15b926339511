// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class Converter: converts one Python function. Private to convert*.cpp, fold.cpp and freeze.cpp.
#pragma once

#include "convert.h"
#include "hooks.h"

#include <kiln/extension/language/fingerprint.h>

#include <unordered_set>

namespace kiln::python {

/// The node classes of Python's module ast, as numbers.
enum class Syntax : uint8_t {
#define KILN_PYTHON_SYNTAX(name) name,
#include "syntax.def"
#undef KILN_PYTHON_SYNTAX
  Unknown
};
Syntax syntax_of(nb::handle node);
const char *name_of(Syntax syntax);

/// Meaning in kernels of a registered Python object (register_object, register_type).
struct Registered {
  enum class What : uint8_t { Function, Property, Type, Namespace } what;
  std::string name;
  std::vector<std::string> parameters;
  const ValueType *type = nullptr; ///< set if `what` is Type
};
/// Returns the name of the library function for an operator: "add" for +.
const char *operator_name(Syntax op);
const Registered *find_registered(nb::handle object);

/// Reads an attribute of a Python object. `name` is an interned string.
nb::object get(nb::handle object, PyObject *name);
struct Names {
  PyObject *lineno, *col_offset, *end_lineno, *end_col_offset, *id, *value, *attr, *slice, *op, *left, *right,
      *ops, *comparators, *operand, *values, *test, *body, *orelse, *func, *args, *keywords, *arg, *elts,
      *lower, *upper, *step, *targets, *target, *iter, *exc, *msg, *name, *names, *annotation, *defaults,
      *vararg, *kwarg, *kwonlyargs, *posonlyargs, *kw_defaults, *subject, *cases, *pattern, *guard, *patterns,
      *cls;
};
const Names &names();

/// Evaluates an expression that consists of number literals. Empty for other expressions.
nb::object literal(nb::handle node);

class Converter {
public:
  Converter(Engine &engine, nb::handle function, std::shared_ptr<Function> into,
            const Converter *outer = nullptr);
  /// Finds the function's source text, and converts the function.
  Result<void> convert();

private:
  Result<void> definition(nb::handle node, nb::handle code);
  Result<void> parameters(nb::handle arguments, nb::handle defaults);
  Result<Node> statement(nb::handle node);
  Result<Node> block(nb::handle list, nb::handle parent);
  Result<Node> for_loop(nb::handle node);
  Result<Node> raise(nb::handle node);
  Result<Node> match(nb::handle node);
  Result<Node> pattern(nb::handle node, const Node &subject, Node &capture);
  Result<Node> expression(nb::handle node);
  Result<Node> expressions(Kind kind, nb::handle node, nb::handle list);
  Result<Node> call(nb::handle node);
  Result<Node> operation(Kind kind, nb::handle node, PyObject *left, PyObject *right);
  Result<Node> compare(nb::handle node);
  Result<Node> subscript(nb::handle node);
  Result<Node> nested(nb::handle node, bool is_lambda);
  Result<Node> name(nb::handle node);
  /// Returns the Python object that a free name or an attribute of a module refers to. Empty for expressions
  /// that are known only at run time.
  Result<nb::object> fixed(nb::handle node);
  Result<nb::object> enum_member(nb::handle base, nb::handle node);
  Result<nb::object> free_name(nb::handle node, nb::handle identifier);
  /// Converts a Python object to a constant.
  Result<Node> frozen(nb::handle object, nb::handle node, int depth = 0);
  Result<Node> described(nb::handle object, nb::handle node, int depth);

  bool is_local(nb::handle identifier) const;
  Node make(Kind kind, nb::handle node);
  Span span(nb::handle node);
  Error error(nb::handle node, ErrorCode code, std::string message, std::string hint = {});
  Error unsupported(nb::handle node, std::string what, std::string hint = {});
  Symbol symbol(nb::handle text);
  /// Adds a constant to the digest that identifies the function.
  void note(const Node &node);

  Engine &engine_;
  nb::object function_, code_, globals_;
  std::shared_ptr<Function> into_;
  const Converter *outer_;
  std::shared_ptr<const Text> text_;
  long line_shift_ = 0;
  std::unordered_set<PyObject *> locals_; ///< interned names, owned by code_
  std::unordered_map<std::string, nb::object> cells_;
  Fingerprinter identity_;
};

Result<std::shared_ptr<Function>> function_of(Engine &engine, nb::handle function, bool is_kernel,
                                              MethodHints hints);

} // namespace kiln::python
