// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source text of a Python function, and its place in the file.
#pragma once

#include "engine.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

/// A file of the program, from Python's linecache.
struct Text {
  std::shared_ptr<const SourceFile> file;
  std::vector<uint32_t> lines; ///< start of each line, and the end of the text
  /// Byte offset of a place: line from 1, column in bytes of UTF-8.
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

/// Finds a function's definition by its code object. Call it with the GIL. Errors: Input (SourceError), with
/// advice if the text is missing.
Result<Definition> find_definition(Engine &engine, nb::handle function, nb::handle code);

/// False if the code's place is outside of the lambda's body. Call it with the GIL.
bool may_be_code_of(nb::handle lambda, nb::handle code, long line_shift);

/// Forgets texts of a parent process's session after a fork.
void forget_texts();

} // namespace kiln::python
