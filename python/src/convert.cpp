// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and statements.
#include "converter.h"

namespace kiln::python {

Syntax syntax_of(nb::handle node) {
  static auto *kinds = [] {
    auto *made = new std::unordered_map<PyTypeObject *, Syntax>;
    nb::object ast = nb::module_::import_("_ast");
#define KILN_PYTHON_SYNTAX(name)                                                                             \
  if (nb::hasattr(ast, #name))                                                                               \
    made->emplace((PyTypeObject *)nb::object(ast.attr(#name)).release().ptr(), Syntax::name);
#include "syntax.def"
#undef KILN_PYTHON_SYNTAX
    return made;
  }();
  auto found = kinds->find(Py_TYPE(node.ptr()));
  return found == kinds->end() ? Syntax::Unknown : found->second;
}

const char *name_of(Syntax syntax) {
  switch (syntax) {
#define KILN_PYTHON_SYNTAX(name)                                                                             \
  case Syntax::name: return #name;
#include "syntax.def"
#undef KILN_PYTHON_SYNTAX
  default: return "unknown syntax";
  }
}

nb::object get(nb::handle object, PyObject *name) {
  PyObject *value = PyObject_GetAttr(object.ptr(), name);
  if (!value) throw nb::python_error();
  return nb::steal(value);
}

const Names &names() {
  static const Names *all = [] {
    auto *made = new Names;
    auto intern = [](const char *text) { return PyUnicode_InternFromString(text); };
    *made = {intern("lineno"),      intern("col_offset"), intern("end_lineno"),  intern("end_col_offset"),
             intern("id"),          intern("value"),      intern("attr"),        intern("slice"),
             intern("op"),          intern("left"),       intern("right"),       intern("ops"),
             intern("comparators"), intern("operand"),    intern("values"),      intern("test"),
             intern("body"),        intern("orelse"),     intern("func"),        intern("args"),
             intern("keywords"),    intern("arg"),        intern("elts"),        intern("lower"),
             intern("upper"),       intern("step"),       intern("targets"),     intern("target"),
             intern("iter"),        intern("exc"),        intern("msg"),         intern("name"),
             intern("names"),       intern("annotation"), intern("defaults"),    intern("vararg"),
             intern("kwarg"),       intern("kwonlyargs"), intern("posonlyargs"), intern("kw_defaults"),
             intern("subject"),     intern("cases"),      intern("pattern"),     intern("guard"),
             intern("patterns"),    intern("cls")};
    return made;
  }();
  return *all;
}

Converter::Converter(Engine &engine, nb::handle function, std::shared_ptr<Function> into,
                     const Converter *outer)
    : engine_(engine), function_(nb::borrow(function)), into_(std::move(into)), outer_(outer) {
  if (outer) {
    globals_ = outer->globals_;
    cells_ = outer->cells_;
    text_ = outer->text_;
    line_shift_ = outer->line_shift_;
  }
}

Result<void> Converter::convert() {
  if (nb::cast<std::string>(function_.attr("__code__").attr("co_filename")).starts_with("<"))
    hooks().attr("find_text")(function_);
  code_ = function_.attr("__code__");
  globals_ = function_.attr("__globals__");
  nb::object closure = function_.attr("__closure__");
  if (!closure.is_none()) {
    nb::object free = code_.attr("co_freevars");
    for (size_t i = 0; i < nb::len(free); i++) {
      nb::object cell = closure[i];
      PyObject *held = PyObject_GetAttrString(cell.ptr(), "cell_contents");
      if (!held)
        PyErr_Clear(); // an empty closure cell: an error only where the name is used
      else
        cells_[nb::cast<std::string>(free[i])] = nb::steal(held);
    }
  }
  KILN_TRY(Definition found, find_definition(engine_, function_, code_));
  text_ = found.text;
  line_shift_ = found.line_shift;
  into_->file = text_->file;
  nb::object module = function_.attr("__module__"); // None for code that exec() ran without __name__
  into_->qualified = (module.is_none() ? std::string("exec") : nb::cast<std::string>(module)) + "." +
                     nb::cast<std::string>(function_.attr("__qualname__"));
  identity_.add(into_->qualified);
  identity_.add(found.source);
  nb::object defaults = function_.attr("__defaults__");
  nb::object keyword_defaults = function_.attr("__kwdefaults__");
  if (!keyword_defaults.is_none() && nb::len(keyword_defaults))
    return error(found.node, ErrorCode::UnsupportedError,
                 "parameters that are given by keyword alone are not for kernels");
  KILN_CHECK(definition(found.node, code_));
  KILN_CHECK(parameters(get(found.node, names().args), defaults));
  into_->identity = identity_.finish();
  return {};
}

/// Converts parameters and body.
Result<void> Converter::definition(nb::handle node, nb::handle code) {
  if (syntax_of(node) == Syntax::AsyncFunctionDef) return unsupported(node, "an `async` function");
  into_->at = span(node);
  // As a source range, a function has only the first line of its def.
  const std::string_view all = text_->file->text();
  into_->at.end = uint32_t(std::min(all.find('\n', into_->at.begin), all.size()));
  code_ = nb::borrow(code);
  for (const char *list : {"co_varnames", "co_cellvars"})
    for (nb::handle each : nb::object(code.attr(list))) locals_.insert(each.ptr());
  const long flags = nb::cast<long>(code.attr("co_flags"));
  if (flags & 0x20) return unsupported(node, "a generator (`yield`)", "Write a loop into an array.");
  KILN_TRY(into_->body,
           into_->is_lambda ? expression(get(node, names().body)) : block(get(node, names().body), node));
  return {};
}

Result<void> Converter::parameters(nb::handle arguments, nb::handle defaults) {
  const Names &n = names();
  if (nb::len(get(arguments, n.kwonlyargs)))
    return error(arguments, ErrorCode::UnsupportedError,
                 "parameters that are given by keyword alone are not for kernels");
  if (!get(arguments, n.kwarg).is_none()) return unsupported(get(arguments, n.kwarg), "`**` parameters");
  for (PyObject *list : {n.posonlyargs, n.args})
    for (nb::handle each : get(arguments, list)) into_->parameters.push_back({symbol(get(each, n.arg)), {}});
  const size_t positional = into_->parameters.size();
  nb::object written = get(arguments, n.defaults);
  if (defaults.is_valid() && !defaults.is_none()) { // default values, as Python evaluated them at the def
    const size_t count = nb::len(defaults);
    for (size_t i = 0; i < count; i++) {
      KILN_TRY(Node value, frozen(nb::object(defaults[i]), nb::object(written[i])));
      note(value);
      into_->parameters[positional - count + i].standard = std::move(value);
    }
  } else if (!defaults.is_valid()) { // a nested function: its defaults are still expressions
    const size_t count = nb::len(written);
    for (size_t i = 0; i < count; i++) {
      KILN_TRY(Node value, expression(nb::object(written[i])));
      if (value.kind != Kind::Constant)
        return unsupported(nb::object(written[i]), "a default of a nested function that is not a constant");
      into_->parameters[positional - count + i].standard = std::move(value);
    }
  }
  if (nb::object rest = get(arguments, n.vararg); !rest.is_none()) {
    into_->is_vararg = true;
    into_->parameters.push_back({symbol(get(rest, n.arg)), {}});
  }
  return {};
}

Result<Node> Converter::block(nb::handle list, nb::handle parent) {
  Node made = make(Kind::Block, parent);
  for (nb::handle each : list) {
    KILN_TRY(Node node, statement(each));
    if (node.kind != Kind::Missing) made.items.push_back(std::move(node));
  }
  return made;
}

Result<Node> Converter::statement(nb::handle node) {
  const Names &n = names();
  const Syntax syntax = syntax_of(node);
  switch (syntax) {
  case Syntax::Assign: {
    Node made = make(Kind::Assign, node);
    KILN_TRY(Node value, expression(get(node, n.value)));
    made.items.push_back(std::move(value));
    for (nb::handle each : get(node, n.targets)) {
      KILN_TRY(Node target, expression(each));
      made.items.push_back(std::move(target));
    }
    return made;
  }
  case Syntax::AnnAssign: {
    if (get(node, n.value).is_none()) return Node{};
    Node made = make(Kind::Assign, node);
    KILN_TRY(Node value, expression(get(node, n.value)));
    KILN_TRY(Node target, expression(get(node, n.target)));
    made.items.push_back(std::move(value));
    made.items.push_back(std::move(target));
    return made;
  }
  case Syntax::AugAssign: return operation(Kind::Augmented, node, n.target, n.value);
  case Syntax::Expr: {
    nb::object value = get(node, n.value);
    if (syntax_of(value) == Syntax::Constant) return Node{}; // a docstring or another constant
    Node made = make(Kind::Expression, node);
    KILN_TRY(Node what, expression(value));
    made.items.push_back(std::move(what));
    return made;
  }
  case Syntax::If:
  case Syntax::While: {
    Node made = make(syntax == Syntax::If ? Kind::If : Kind::While, node);
    KILN_TRY(Node test, expression(get(node, n.test)));
    KILN_TRY(Node body, block(get(node, n.body), node));
    KILN_TRY(Node otherwise, block(get(node, n.orelse), node));
    made.items.push_back(std::move(test));
    made.items.push_back(std::move(body));
    made.items.push_back(std::move(otherwise));
    return made;
  }
  case Syntax::For: return for_loop(node);
  case Syntax::Return: {
    Node made = make(Kind::Return, node);
    nb::object value = get(node, n.value);
    if (value.is_none()) return made;
    KILN_TRY(Node what, expression(value));
    made.items.push_back(std::move(what));
    return made;
  }
  case Syntax::Break: return make(Kind::Break, node);
  case Syntax::Continue: return make(Kind::Continue, node);
  case Syntax::Pass: return Node{};
  case Syntax::Raise: return raise(node);
  case Syntax::Assert: {
    Node made = make(Kind::Assert, node);
    KILN_TRY(Node test, expression(get(node, n.test)));
    made.items.push_back(std::move(test));
    nb::object message = get(node, n.msg);
    if (!message.is_none() && syntax_of(message) == Syntax::Constant)
      made.text = nb::cast<std::string>(nb::str(get(message, n.value)));
    return made;
  }
  case Syntax::FunctionDef: {
    Node made = make(Kind::Assign, node);
    KILN_TRY(Node function, nested(node, false));
    Node target = make(Kind::Local, node);
    target.name = symbol(get(node, n.name));
    made.items.push_back(std::move(function));
    made.items.push_back(std::move(target));
    return made;
  }
  case Syntax::Match: return match(node);
  case Syntax::Global:
    return unsupported(node, "`global`", "A kernel's globals are constants: pass an array to write to.");
  case Syntax::Nonlocal: return unsupported(node, "`nonlocal`", "Return the new value.");
  case Syntax::Try:
  case Syntax::TryStar: return unsupported(node, "`try`", "Test the condition before, with `if`.");
  case Syntax::With:
  case Syntax::AsyncWith: return unsupported(node, "`with`");
  case Syntax::AsyncFor: return unsupported(node, "`async for`");
  case Syntax::Delete: return unsupported(node, "`del`", "A variable needs no deleting.");
  case Syntax::ClassDef: return unsupported(node, "`class`", "Define it outside of the kernel.");
  case Syntax::Import:
  case Syntax::ImportFrom: return unsupported(node, "`import`", "Import it at the top of the module.");
  case Syntax::AsyncFunctionDef: return unsupported(node, "`async def`");
  default: return unsupported(node, std::string("`") + name_of(syntax) + "`");
  }
}

Result<Node> Converter::for_loop(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::For, node);
  KILN_TRY(Node target, expression(get(node, n.target)));
  KILN_TRY(Node iterable, expression(get(node, n.iter)));
  // Unrolls `for x in literal_unroll(t)` with a tuple literal or constant t, as a loop over a list literal.
  if (iterable.kind == Kind::Call && iterable.items.size() == 2 && iterable.items[0].kind == Kind::Library &&
      iterable.items[0].name.text() == "literal_unroll" && iterable.items[1].kind == Kind::Tuple) {
    Node items = std::move(iterable.items[1]);
    items.kind = Kind::List;
    iterable = std::move(items);
  }
  KILN_TRY(Node body, block(get(node, n.body), node));
  KILN_TRY(Node otherwise, block(get(node, n.orelse), node));
  for (Node *each : {&target, &iterable, &body, &otherwise}) made.items.push_back(std::move(*each));
  return made;
}

/// Converts `raise Class` and `raise Class(arguments)` to a node with the class's name and the message text.
Result<Node> Converter::raise(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::Raise, node);
  nb::object what = get(node, n.exc);
  if (what.is_none()) return unsupported(node, "`raise` without an exception");
  if (syntax_of(what) == Syntax::Call) {
    for (nb::handle each : get(what, n.args)) {
      nb::object text;
      if (syntax_of(each) == Syntax::Constant) {
        text = get(each, n.value);
      } else {
        KILN_TRY(text, fixed(each));
      }
      if (!text)
        return unsupported(each, "a message of an exception that is not a constant",
                           "The text is kept with the code: write it as a literal.");
      made.text += (made.text.empty() ? "" : ", ") + nb::cast<std::string>(nb::str(text));
    }
    what = get(what, n.func);
  }
  KILN_TRY(nb::object type, fixed(what));
  if (!type || !PyType_Check(type.ptr()) || PyObject_IsSubclass(type.ptr(), PyExc_BaseException) != 1)
    return error(node, ErrorCode::TypingError,
                 "what is raised has to be a class of exceptions, or a call of one");
  made.name = symbol(type.attr("__name__"));
  hooks().attr("remember_class")(type); // lets a launch raise this Python class
  return made;
}

Result<Node> Converter::match(nb::handle node) {
  const Names &n = names();
  Node made = make(Kind::Match, node);
  KILN_TRY(Node subject, expression(get(node, n.subject)));
  made.items.push_back(std::move(subject));
  Node read = make(Kind::Local, node);
  read.name = engine_.symbol("#subject" + std::to_string(made.at.begin));
  for (nb::handle each : get(node, n.cases)) {
    Node one = make(Kind::Case, get(each, n.pattern)), capture;
    KILN_TRY(Node condition, pattern(get(each, n.pattern), read, capture));
    one.items.push_back(std::move(condition));
    one.items.push_back(std::move(capture));
    nb::object guard = get(each, n.guard);
    if (guard.is_none()) {
      one.items.emplace_back();
    } else {
      KILN_TRY(Node holds, expression(guard));
      one.items.push_back(std::move(holds));
    }
    KILN_TRY(Node body, block(get(each, n.body), node));
    one.items.push_back(std::move(body));
    made.items.push_back(std::move(one));
  }
  return made;
}

/// Converts the pattern of a `case` to a condition on the subject of its `match`. Kind::Missing: the pattern
/// always matches.
Result<Node> Converter::pattern(nb::handle node, const Node &subject, Node &capture) {
  const Names &n = names();
  auto compare = [&](const char *how, Node with) {
    Node made = make(Kind::Compare, node);
    made.names.push_back(engine_.symbol(how));
    made.items = {subject, std::move(with)};
    return made;
  };
  switch (syntax_of(node)) {
  case Syntax::MatchValue: {
    KILN_TRY(Node value, expression(get(node, n.value)));
    return compare("eq", std::move(value));
  }
  case Syntax::MatchSingleton: {
    KILN_TRY(Node value, frozen(get(node, n.value), node));
    return compare("is", std::move(value));
  }
  case Syntax::MatchOr: {
    Node made = make(Kind::Or, node);
    for (nb::handle each : get(node, n.patterns)) {
      KILN_TRY(Node one, pattern(each, subject, capture));
      if (one.kind == Kind::Missing) return one;
      made.items.push_back(std::move(one));
    }
    return made;
  }
  case Syntax::MatchAs: {
    Node inner;
    if (nb::object pattern = get(node, n.pattern); !pattern.is_none()) {
      KILN_TRY(inner, this->pattern(pattern, subject, capture));
    }
    if (nb::object name = get(node, n.name); !name.is_none()) {
      Node target = make(Kind::Local, node);
      target.name = symbol(name);
      capture = make(Kind::Assign, node);
      capture.items = {subject, std::move(target)};
    }
    return inner;
  }
  default: return unsupported(node, "this pattern of `match`", "Match against values, `|` of them, and `_`.");
  }
}

} // namespace kiln::python
