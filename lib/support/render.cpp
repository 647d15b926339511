// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "render.h"

#include <kiln/extension/language/source.h>

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

namespace {

constexpr std::string_view Bold = "\033[1m", Red = "\033[1;31m", Green = "\033[1;32m", Cyan = "\033[1;36m",
                           Reset = "\033[0m";
// Maximum length of a shown source line; longer lines are cut around the caret.
constexpr size_t max_columns = 160;

struct Renderer {
  std::string out;
  bool colour;

  void painted(std::string_view paint, std::string_view text) {
    if (colour) out += paint;
    out += text;
    if (colour) out += Reset;
  }

  void place(const Location &at, std::string_view end = ": ") {
    LineColumn p = at.file->position(at.begin);
    painted(Bold, fmt::format("{}:{}:{}{}", at.file->name(), p.line, p.column, end));
  }

  /// Shows the source line and underlines the range `at`.
  void excerpt(const Location &at) {
    LineColumn p = at.file->position(at.begin);
    std::string_view line = at.file->line(p.line);
    if (line.empty() && p.column == 1) return; // nothing to point at

    struct Cell {
      std::string text;
      size_t begin;
    }; // one character each
    std::vector<Cell> cells;
    for (size_t i = 0; i < line.size();) {
      size_t n = 1;
      while (i + n < line.size() && (uint8_t(line[i + n]) & 0xc0) == 0x80) ++n;
      std::string text(line.substr(i, n));
      if (n == 1 && uint8_t(text[0]) < 0x20 && text[0] != '\t')
        text = "?"; // control characters of source files could be terminal escapes
      if (text == "\x7f") text = "?";
      cells.push_back({std::move(text), i});
      i += n;
    }

    size_t caret = p.column - 1;
    size_t line_begin = size_t(line.data() - at.file->text().data());
    size_t covered_end = at.end > at.begin ? at.end : at.begin + 1;
    size_t first = cells.size() > max_columns && caret > max_columns / 2 ? caret - max_columns / 2 : 0;
    size_t last = std::min(cells.size(), first + max_columns);

    std::string number = std::to_string(p.line);
    out += fmt::format("\n  {} | {}", number, first > 0 ? "..." : "");
    for (size_t i = first; i < last; ++i) out += cells[i].text;
    if (last < cells.size()) out += "...";
    out += fmt::format("\n  {} | {}", std::string(number.size(), ' '), first > 0 ? "   " : "");
    for (size_t i = first; i < caret && i < last; ++i) out += cells[i].text == "\t" ? '\t' : ' ';
    std::string mark = "^";
    for (size_t i = caret + 1; i < last && line_begin + cells[i].begin < covered_end; ++i) mark += '~';
    painted(Green, mark);
  }

  void diagnostic(const Diagnostic &d) {
    if (d.at) place(d.at);
    if (d.code != ErrorCode::None) {
      painted(Red, fmt::format("{}[{}]:", d.name(), uint32_t(d.code)));
      out += ' ';
    }
    out += d.message;
    details(d);
  }

  /// Source line, stack, notes and hint.
  void details(const Diagnostic &d) {
    if (d.at) excerpt(d.at);
    if (!d.stack.empty()) out += "\nStacktrace:";
    size_t width = std::to_string(d.stack.size()).size();
    for (size_t i = 0; i < d.stack.size(); ++i) {
      const StackFrame &frame = d.stack[i];
      out += fmt::format("\n {:>{}} {}", fmt::format("[{}]", i + 1), width + 2, frame.function);
      if (frame.at)
        out += fmt::format(" @ {}:{}", frame.at.file->name(), frame.at.file->position(frame.at.begin).line);
      else if (frame.line)
        out += fmt::format(" @ {}:{}", frame.file, frame.line);
    }
    for (const Note &note : d.notes) {
      out += '\n';
      if (note.at) place(note.at);
      painted(Cyan, "note:");
      out += ' ';
      out += note.text;
      if (note.at) excerpt(note.at);
    }
    if (!d.hint.empty()) {
      out += '\n';
      painted(Cyan, "hint:");
      out += ' ';
      out += d.hint;
    }
  }
};

} // namespace

std::string render(const Diagnostic &diagnostic, bool colour) {
  Renderer r{{}, colour};
  r.diagnostic(diagnostic);
  return std::move(r.out);
}

std::string render_details(const Diagnostic &diagnostic, bool colour) {
  Renderer r{{}, colour};
  if (diagnostic.at) {
    r.out += '\n';
    r.place(diagnostic.at, ":");
  }
  r.details(diagnostic);
  return std::move(r.out);
}

std::string render_headline(std::string_view name, std::string_view message, bool colour) {
  Renderer r{{}, colour};
  r.painted(Red, name);
  r.out += ' ';
  r.out += message;
  return std::move(r.out);
}

std::string render(const Error &error, bool colour) {
  Renderer r{{}, colour};
  for (const Diagnostic &d : error.diagnostics()) {
    if (!r.out.empty()) r.out += '\n';
    r.diagnostic(d);
  }
  return std::move(r.out);
}

Location KILN_API_VERSION::place_of(const std::vector<StackFrame> &stack) {
  const StackFrame *chosen = nullptr;
  for (const StackFrame &frame : stack)
    if (frame.at && (!chosen || (chosen->at.file->is_library() && !frame.at.file->is_library())))
      chosen = &frame;
  return chosen ? chosen->at : Location();
}

std::string Error::what() const { return render(*this); }

} // namespace kiln
