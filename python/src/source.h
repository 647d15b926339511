// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the source text of a Python function, and its place in the file.
#pragma once

#include "engine.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

/// A source file of the program, as Python's module linecache returns it.
struct Text {
  std::shared_ptr<const SourceFile> file;
  std::vector<uint32_t> lines; ///< byte offset of each line's start, and last of the text's end
  /// Returns the byte offset of a source position. `line` counts from 1; `column` counts bytes of UTF-8.
  uint32_t offset(long line, long column) const {
    if (line < 1 || size_t(line) >= lines.size()) return lines.empty() ? 0 : lines.back();
    return std::min(lines[line - 1] + uint32_t(std::max(column, 0l)), lines.back());
  }
};

struct Definition {
  std::shared_ptr<const Text> text;
  nb::object node;         ///< FunctionDef or Lambda of Python's ast
  long line_shift = 0;     ///< add it to the node's lines
  std::string_view source; ///< refers to `text`
};

/// Finds a function's definition from its code object. Call it with the GIL. Errors: Input (SourceError),
/// with advice, if the source text is missing.
Result<Definition> find_definition(Engine &engine, nb::handle function, nb::handle code);

/// Returns false if the code object lies outside of the lambda's body. `line_shift`: added to the node's
/// lines. Call it with the GIL.
bool may_be_code_of(nb::handle lambda, nb::handle code, long line_shift);

/// Drops the cached texts in a child after fork: they belong to the session of the parent process.
void forget_texts();

} // namespace kiln::python
