// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source.h"

#include <array>
#include <limits>
#include <tuple>

namespace kiln::python {

namespace {

struct Known {
  nb::object lines; ///< linecache's list: a new list after the file was read again
  std::shared_ptr<const Text> text;
};

/// Source texts by file name. Guarded by the GIL; never destroyed, since the interpreter may be finalized
/// first.
std::unordered_map<std::string, Known> &texts() {
  static auto *all = new std::unordered_map<std::string, Known>;
  return *all;
}

std::shared_ptr<Text> make_text(Engine &engine, const std::string &name, nb::handle lines) {
  auto made = std::make_shared<Text>();
  std::string all;
  for (nb::handle line : lines) {
    made->lines.push_back(uint32_t(all.size()));
    Py_ssize_t size = 0;
    if (const char *bytes = PyUnicode_AsUTF8AndSize(line.ptr(), &size))
      all.append(bytes, size_t(size));
    else
      PyErr_Clear();
  }
  made->lines.push_back(uint32_t(all.size()));
  made->file = engine.world().sources().add(name, std::move(all));
  return made;
}

struct Line {
  size_t indent = 0;
  std::string_view rest; ///< without indentation
  bool is_blank = true;
};
Line look_at(std::string_view line) {
  Line made;
  made.indent = std::min(line.find_first_not_of(" \t\f"), line.size());
  made.rest = line.substr(made.indent);
  made.is_blank = made.rest.empty() || made.rest[0] == '\n' || made.rest[0] == '\r' || made.rest[0] == '#';
  return made;
}

/// Parses Python source as ast.parse does, without an import of the module ast.
nb::object parse(const std::string &text, const std::string &name) {
  constexpr int only_ast = 0x400; // PyCF_ONLY_AST
  static auto *compile =
      new nb::object(nb::module_::import_("builtins").attr("compile")); // outlives the interpreter
  nb::object arguments = nb::make_tuple(nb::str(text.data(), text.size()), name, "exec", only_ast, true);
  PyObject *made = PyObject_Call(compile->ptr(), arguments.ptr(), nullptr);
  if (!made) {
    if (PyErr_ExceptionMatches(PyExc_SyntaxError) || PyErr_ExceptionMatches(PyExc_ValueError))
      PyErr_Clear();
    else
      throw nb::python_error();
  }
  return nb::steal(made);
}

Error no_source(std::string name, std::string why, std::string_view file = {}) {
  const char *hint =
      file == "<stdin>"
          ? "A kernel is compiled from its text, which Python does not keep for a program that comes through a pipe, "
            "nor before 3.13 at the prompt without readline. Save the program in a file and run `python FILE` or "
            "`python - < FILE`; for interactive work use IPython, Jupyter, or Python 3.13 and later."
          : "A kernel is compiled from its text. Register the text of a function that exec made: "
            "kiln.register_source(filename, text), with the file name that its text was compiled under.";
  return make_error(ErrorCode::SourceError, "the source of `" + name + "` is missing: " + why, {}, hint);
}

using Span = std::array<long, 4>; ///< first line and column, last line and end column
Span span_of(nb::handle node) {
  Span made;
  const char *const names[] = {"lineno", "col_offset", "end_lineno", "end_col_offset"};
  for (size_t i = 0; i < 4; i++) made[i] = nb::cast<long>(node.attr(names[i]));
  return made;
}

/// Returns the source range that a lambda's code object covers, which is the lambda's body.
Span columns_of(nb::handle code) {
  Span made{std::numeric_limits<long>::max(), 0, 0, 0};
  if (!nb::hasattr(code, "co_positions")) return made;
  for (nb::handle each : code.attr("co_positions")()) { // each: (line, last line, column, last column)
    if (each[2].is_none() || each[3].is_none() || nb::cast<long>(each[3]) == 0) continue;
    const long at[] = {nb::cast<long>(each[0]), nb::cast<long>(each[2]), nb::cast<long>(each[1]),
                       nb::cast<long>(each[3])};
    if (std::tie(at[0], at[1]) < std::tie(made[0], made[1])) made[0] = at[0], made[1] = at[1];
    if (std::tie(at[2], at[3]) > std::tie(made[2], made[3])) made[2] = at[2], made[3] = at[3];
  }
  return made;
}

/// Finds the lambda of a code object among those that begin in this line.
Result<Definition> find_lambda(std::shared_ptr<const Text> text, const std::string &name, long line,
                               nb::handle code) {
  nb::object module = parse(std::string(text->file->text()), text->file->name());
  if (!module) return no_source(name, "its file no longer parses");
  std::vector<nb::object> found;
  nb::object walk = nb::module_::import_("ast").attr("walk");
  const auto names = nb::cast<std::vector<std::string>>(nb::list(code.attr("co_varnames")));
  for (nb::handle node : walk(module)) {
    if (!nb::hasattr(node, "lineno") || nb::cast<long>(node.attr("lineno")) != line) continue;
    if (nb::cast<std::string>(node.type().attr("__name__")) != "Lambda") continue;
    size_t i = 0;
    bool is_same = true;
    for (nb::handle arg : node.attr("args").attr("args"))
      is_same &= i < names.size() && nb::cast<std::string>(arg.attr("arg")) == names[i++];
    if (is_same) found.push_back(nb::borrow(node));
  }
  if (found.size() > 1) {
    const auto wanted = columns_of(code);
    std::erase_if(found, [&](const nb::object &node) { return span_of(node.attr("body")) != wanted; });
  }
  if (found.empty()) return no_source(name, "there is no lambda in its line any more");
  if (found.size() > 1) return no_source(name, "several lambdas stand in its line");
  const auto [first, begin, last, end] = span_of(found.front());
  const size_t from = text->lines[size_t(first) - 1] + size_t(begin);
  return Definition{text, found.front(), 0,
                    text->file->text().substr(from, text->lines[size_t(last) - 1] + size_t(end) - from)};
}

} // namespace

bool may_be_code_of(nb::handle lambda, nb::handle code, long line_shift) {
  const auto [first, begin, last, end] = columns_of(code);
  if (!last) return true; // this Python keeps no columns
  const auto [body_first, body_begin, body_last, body_end] = span_of(lambda.attr("body"));
  return std::pair(first, begin) >= std::pair(body_first + line_shift, body_begin) &&
         std::pair(last, end) <= std::pair(body_last + line_shift, body_end);
}

void forget_texts() {
  new std::unordered_map<std::string, Known>(
      std::move(texts())); // leaked: the texts belong to the parent's session
  texts() = {};
}

Result<Definition> find_definition(Engine &engine, nb::handle function, nb::handle code) {
  const auto name = nb::cast<std::string>(code.attr("co_name"));
  const auto file = nb::cast<std::string>(code.attr("co_filename"));
  const long first = nb::cast<long>(code.attr("co_firstlineno"));
  // The function is looked up in linecache each time, because doctest replaces it.
  static auto *linecache = new nb::object(nb::module_::import_("linecache"));
  nb::object lines = linecache->attr("getlines")(file, function.attr("__globals__"));
  if (nb::len(lines) == 0) return no_source(name, "Python has no text of " + file, file);
  Known &known = texts()[file];
  if (!known.text || !known.lines.is(lines)) known = {lines, make_text(engine, file, lines)};
  const std::shared_ptr<const Text> text = known.text;
  const std::string_view all = text->file->text();
  const size_t count = text->lines.size() - 1;
  auto line = [&](size_t i) { return all.substr(text->lines[i - 1], text->lines[i] - text->lines[i - 1]); };
  if (first < 1 || size_t(first) > count) return no_source(name, file + " has fewer lines now");
  if (name == "<lambda>") return find_lambda(text, name, first, code);

  // A function ends before the first later line that is indented no more than its header. A line within a
  // string or parentheses may also be indented that little. The text before such a line does not parse, so
  // the loop tries the next candidate.
  const size_t indent = look_at(line(first)).indent;
  const std::string prefix = indent ? "if 1:\n" : "";
  bool in_body = false;
  int tries = 0;
  for (size_t i = first; i <= count + 1; i++) {
    if (i <= count) {
      const Line at = look_at(line(i));
      if (!in_body) {
        in_body = at.indent == indent && (at.rest.starts_with("def ") || at.rest.starts_with("async "));
        continue;
      }
      if (at.is_blank || at.indent > indent) continue;
    }
    const std::string_view block =
        all.substr(text->lines[first - 1], text->lines[i - 1] - text->lines[first - 1]);
    nb::object module = parse(prefix + std::string(block), file);
    if (module) {
      nb::object body = module.attr("body");
      if (indent) body = nb::object(body[0].attr("body"));
      if (nb::len(body) >= 1) {
        nb::object node = body[nb::len(body) - 1];
        if (nb::hasattr(node, "name") && nb::cast<std::string>(node.attr("name")) == name)
          return Definition{text, node, first - 1 - (indent ? 1 : 0), block};
      }
      break;
    }
    if (++tries == 200) break;
  }
  return no_source(name, file + " has other text now than was imported");
}

} // namespace kiln::python
