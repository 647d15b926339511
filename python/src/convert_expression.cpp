// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts Python expressions, and computes the source ranges of all nodes.
#include "converter.h"

namespace kiln::python {

const char *operator_name(Syntax op) {
  switch (op) {
  case Syntax::Add: return "add";
  case Syntax::Sub: return "sub";
  case Syntax::Mult: return "mul";
  case Syntax::MatMult: return "matmul";
  case Syntax::Div: return "truediv";
  case Syntax::FloorDiv: return "floordiv";
  case Syntax::Mod: return "mod";
  case Syntax::Pow: return "pow";
  case Syntax::LShift: return "lshift";
  case Syntax::RShift: return "rshift";
  case Syntax::BitOr: return "or_";
  case Syntax::BitXor: return "xor";
  case Syntax::BitAnd: return "and_";
  case Syntax::Invert: return "invert";
  case Syntax::UAdd: return "pos";
  case Syntax::USub: return "neg";
  case Syntax::Eq: return "eq";
  case Syntax::NotEq: return "ne";
  case Syntax::Lt: return "lt";
  case Syntax::LtE: return "le";
  case Syntax::Gt: return "gt";
  case Syntax::GtE: return "ge";
  case Syntax::Is: return "is";
  case Syntax::IsNot: return "is_not";
  case Syntax::In: return "in";
  case Syntax::NotIn: return "not_in";
  default: return "unknown_operator";
  }
}

Span Converter::span(nb::handle node) {
  const Names &n = names();
  auto number = [&](PyObject *name) { // reads a position attribute of the node; 0 if missing
    PyObject *value = PyObject_GetAttr(node.ptr(), name);
    if (!value) {
      PyErr_Clear();
      return 0l;
    }
    const long made = PyLong_AsLong(value);
    Py_DECREF(value);
    if (made == -1 && PyErr_Occurred()) PyErr_Clear();
    return made;
  };
  const long line = number(n.lineno);
  if (!line) return into_->at;
  const uint32_t begin = text_->offset(line + line_shift_, number(n.col_offset));
  const uint32_t end = text_->offset(number(n.end_lineno) + line_shift_, number(n.end_col_offset));
  return {text_->file->id(), begin, std::max(begin, end)};
}

Node Converter::make(Kind kind, nb::handle node) {
  Node made;
  made.kind = kind;
  made.at = span(node);
  return made;
}

Symbol Converter::symbol(nb::handle text) {
  Py_ssize_t size = 0;
  const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (!bytes) throw nb::python_error();
  return engine_.symbol({bytes, size_t(size)});
}

Error Converter::error(nb::handle node, ErrorCode code, std::string message, std::string hint) {
  return make_error(code, std::move(message), engine_.world().sources().locate(span(node)), std::move(hint));
}

Error Converter::unsupported(nb::handle node, std::string what, std::string hint) {
  return error(node, ErrorCode::UnsupportedError, what + " is not for kernels", std::move(hint));
}

bool Converter::is_local(nb::handle identifier) const { return locals_.count(identifier.ptr()) != 0; }

Result<Node> Converter::expressions(Kind kind, nb::handle node, nb::handle list) {
  Node made = make(kind, node);
  for (nb::handle each : list) {
    KILN_TRY(Node item, expression(each));
    made.items.push_back(std::move(item));
  }
  return made;
}

Result<Node> Converter::expression(nb::handle node) {
  const Names &n = names();
  const Syntax syntax = syntax_of(node);
  if (syntax == Syntax::BinOp || syntax == Syntax::UnaryOp)
    if (nb::object value = literal(node)) return frozen(value, node);
  switch (syntax) {
  case Syntax::Constant: return frozen(get(node, n.value), node);
  case Syntax::Name: return name(node);
  case Syntax::Attribute: {
    KILN_TRY(nb::object object, fixed(node));
    if (object) {
      KILN_TRY(Node made, frozen(object, node));
      note(made);
      return made;
    }
    Node made = make(Kind::Attribute, node);
    made.name = symbol(get(node, n.attr));
    KILN_TRY(Node of, expression(get(node, n.value)));
    made.items.push_back(std::move(of));
    return made;
  }
  case Syntax::Tuple: return expressions(Kind::Tuple, node, get(node, n.elts));
  case Syntax::List: return expressions(Kind::List, node, get(node, n.elts));
  case Syntax::BinOp: return operation(Kind::Binary, node, n.left, n.right);
  case Syntax::UnaryOp: {
    const Syntax op = syntax_of(get(node, n.op));
    Node made = make(op == Syntax::Not ? Kind::Not : Kind::Unary, node);
    if (op != Syntax::Not) made.name = engine_.symbol(operator_name(op));
    KILN_TRY(Node operand, expression(get(node, n.operand)));
    const auto &t = engine_.types().builtins();
    if (op == Syntax::USub && operand.kind == Kind::Constant && operand.value.type() == t.Int64) {
      operand.value = engine_.types().int64(int64_t(0 - operand.value.low_bits()));
      operand.at = made.at;
      return operand;
    }
    made.items.push_back(std::move(operand));
    return made;
  }
  case Syntax::BoolOp:
    return expressions(syntax_of(get(node, n.op)) == Syntax::And ? Kind::And : Kind::Or, node,
                       get(node, n.values));
  case Syntax::Compare: return compare(node);
  case Syntax::IfExp: {
    Node made = make(Kind::IfElse, node);
    for (PyObject *part : {n.test, n.body, n.orelse}) {
      KILN_TRY(Node item, expression(get(node, part)));
      made.items.push_back(std::move(item));
    }
    return made;
  }
  case Syntax::Call: return call(node);
  case Syntax::Subscript: {
    KILN_TRY(nb::object object, fixed(node));
    if (!object) return subscript(node);
    KILN_TRY(Node made, frozen(object, node));
    note(made);
    return made;
  }
  case Syntax::Slice: {
    Node made = make(Kind::Slice, node);
    for (PyObject *part : {n.lower, n.upper, n.step}) {
      nb::object value = get(node, part);
      if (value.is_none()) {
        made.items.emplace_back();
        continue;
      }
      KILN_TRY(Node item, expression(value));
      made.items.push_back(std::move(item));
    }
    return made;
  }
  case Syntax::Starred: {
    Node made = make(Kind::Starred, node);
    KILN_TRY(Node value, expression(get(node, n.value)));
    made.items.push_back(std::move(value));
    return made;
  }
  case Syntax::NamedExpr: {
    into_->has_walrus = true;
    Node made = make(Kind::Walrus, node);
    for (PyObject *part : {n.target, n.value}) {
      KILN_TRY(Node item, expression(get(node, part)));
      made.items.push_back(std::move(item));
    }
    return made;
  }
  case Syntax::Lambda: return nested(node, true);
  case Syntax::ListComp:
  case Syntax::SetComp:
  case Syntax::DictComp: return unsupported(node, "a comprehension", "Write a loop into cuda.local.array.");
  case Syntax::GeneratorExp: return unsupported(node, "a generator expression", "Write a loop.");
  case Syntax::Dict: return unsupported(node, "a dict");
  case Syntax::Set: return unsupported(node, "a set");
  case Syntax::JoinedStr:
  case Syntax::FormattedValue:
    return unsupported(node, "an f-string", "print takes several arguments: print('x is', x).");
  case Syntax::Await: return unsupported(node, "`await`");
  case Syntax::Yield:
  case Syntax::YieldFrom: return unsupported(node, "`yield`", "Write a loop into an array.");
  default: return unsupported(node, std::string("`") + name_of(syntax) + "`");
  }
}

/// Converts a binary operation (a + b) or an augmented assignment (a += b).
Result<Node> Converter::operation(Kind kind, nb::handle node, PyObject *left, PyObject *right) {
  Node made = make(kind, node);
  made.name = engine_.symbol(operator_name(syntax_of(get(node, names().op))));
  for (PyObject *part : {left, right}) {
    KILN_TRY(Node operand, expression(get(node, part)));
    made.items.push_back(std::move(operand));
  }
  return made;
}

Result<Node> Converter::name(nb::handle node) {
  nb::object identifier = get(node, names().id);
  if (is_local(identifier)) {
    Node made = make(Kind::Local, node);
    made.name = symbol(identifier);
    return made;
  }
  for (const Converter *around = outer_; around; around = around->outer_) {
    if (!around->is_local(identifier)) continue;
    const Symbol captured = symbol(identifier);
    // All functions between this one and the variable's owner capture the variable too.
    for (const Converter *each = this; each != around; each = each->outer_) {
      auto &captures = each->into_->captures;
      if (std::find(captures.begin(), captures.end(), captured) == captures.end())
        captures.push_back(captured);
    }
    Node made = make(Kind::Local, node);
    made.name = captured;
    return made;
  }
  KILN_TRY(nb::object object, free_name(node, identifier));
  KILN_TRY(Node made, frozen(object, node));
  note(made);
  return made;
}

Result<Node> Converter::compare(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::Compare, node);
  KILN_TRY(Node left, expression(get(node, n.left)));
  made.items.push_back(std::move(left));
  for (nb::handle each : get(node, n.comparators)) {
    KILN_TRY(Node right, expression(each));
    if (right.kind == Kind::List) right.kind = Kind::Tuple; // x in [1, 2]
    made.items.push_back(std::move(right));
  }
  for (nb::handle each : get(node, n.ops))
    made.names.push_back(engine_.symbol(operator_name(syntax_of(each))));
  return made;
}

/// Converts a subscript. a[i, j] gets one operand per index. a[t] gets a single operand, which may be a
/// tuple.
Result<Node> Converter::subscript(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::Subscript, node);
  KILN_TRY(Node object, expression(get(node, n.value)));
  KILN_TRY(Node index, expression(get(node, n.slice)));
  made.items.push_back(std::move(object));
  bool is_flat = index.kind == Kind::Tuple && !index.items.empty();
  for (const Node &each : index.items) is_flat &= index.kind == Kind::Tuple && each.kind != Kind::Starred;
  if (!is_flat)
    made.items.push_back(std::move(index));
  else
    for (Node &each : index.items) made.items.push_back(std::move(each));
  return made;
}

Result<Node> Converter::call(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::Call, node);
  nb::object function = get(node, n.func);
  KILN_TRY(nb::object known, fixed(function));
  const Registered *registered = known ? find_registered(known) : nullptr;
  KILN_TRY(Node callee, expression(function));
  made.items.push_back(std::move(callee));
  for (nb::handle each : get(node, n.args)) {
    KILN_TRY(Node argument, expression(each));
    made.items.push_back(std::move(argument));
    made.names.emplace_back();
  }
  for (nb::handle each : get(node, n.keywords)) {
    nb::object keyword = get(each, n.arg);
    if (keyword.is_none()) return unsupported(each, "`**` in a call");
    KILN_TRY(Node argument, expression(get(each, n.value)));
    if (!registered || registered->what == Registered::What::Type) {
      made.items.push_back(std::move(argument));
      made.names.push_back(symbol(keyword));
      continue;
    }
    const auto name = nb::cast<std::string>(keyword);
    const auto &parameters = registered->parameters;
    const size_t place = size_t(std::find(parameters.begin(), parameters.end(), name) - parameters.begin());
    if (place == parameters.size())
      return error(each, ErrorCode::TypingError, "there is no parameter `" + name + "`");
    if (made.items.size() < place + 2) { // skipped parameters become None
      made.items.resize(place + 2);
      made.names.resize(place + 1);
      for (Node &item : made.items)
        if (item.kind == Kind::Missing) item.at = made.at;
    } else if (made.items[place + 1].kind != Kind::Missing) {
      return error(each, ErrorCode::TypingError, "there are two values for `" + name + "`");
    }
    made.items[place + 1] = std::move(argument);
  }
  return made;
}

/// Converts a nested def or lambda to a closure.
Result<Node> Converter::nested(nb::handle node, bool is_lambda) {
  Node made = make(Kind::Closure, node);
  const std::string wanted = is_lambda ? "<lambda>" : nb::cast<std::string>(get(node, names().name));
  nb::object found;
  size_t count = 0;
  for (nb::handle each : nb::object(code_.attr("co_consts"))) {
    if (!nb::hasattr(each, "co_code") || nb::cast<std::string>(each.attr("co_name")) != wanted) continue;
    const long line = nb::cast<long>(each.attr("co_firstlineno"));
    const long first = nb::cast<long>(get(node, names().lineno)) + line_shift_;
    const long last = nb::cast<long>(get(node, names().end_lineno)) + line_shift_;
    if (line > last || (is_lambda ? line < first : line < first - 20)) continue;
    if (found && !is_lambda && line != first) continue;
    if (is_lambda && !may_be_code_of(node, each, line_shift_)) continue; // a line may contain several lambdas
    found = nb::borrow(each);
    count++;
  }
  if (!found) return unsupported(node, "this nested function");
  (void)count;
  auto inner = std::make_shared<Function>();
  inner->name = engine_.symbol(is_lambda ? "lambda" : wanted);
  inner->qualified = into_->qualified + ".<locals>." + wanted;
  inner->file = into_->file;
  inner->is_lambda = is_lambda;
  Converter converter(engine_, function_, inner, this);
  converter.identity_.add(inner->qualified);
  const Span at = span(node);
  converter.identity_.add(text_->file->text().substr(at.begin, at.end - at.begin));
  converter.into_->at = at;
  KILN_CHECK(converter.definition(node, found));
  KILN_CHECK(converter.parameters(get(node, names().args), nb::object()));
  inner->identity = converter.identity_.finish();
  for (auto &callee : inner->callees) into_->callees.push_back(callee);
  note(Node{.kind = Kind::Closure, .function = inner});
  made.function = std::move(inner);
  return made;
}

} // namespace kiln::python
