// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a Python function, and its place in its file.
#pragma once

#include "engine.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace kiln::python {

namespace nb = nanobind;

/// A file of the program, as Python's linecache has it.
struct Text {
  std::shared_ptr<const SourceFile> file;
  std::vector<uint32_t> lines; ///< where each begins, and the end
  /// Line from 1, column in bytes of UTF-8.
  uint32_t offset(long line, long column) const {
    if (line < 1 || size_t(line) >= lines.size()) return lines.empty() ? 0 : lines.back();
    return std::min(lines[line - 1] + uint32_t(std::max(column, 0l)), lines.back());
  }
};

struct Definition {
  std::shared_ptr<const Text> text;
  nb::object node;         ///< FunctionDef or Lambda of Python's ast
  long line_shift = 0;     ///< to be added to the node's lines
  std::string_view source; ///< in `text`
};

/// The definition of a function by its code object. With the GIL. Errors: Input (SourceError), which says
/// what to do where there is no text.
Result<Definition> find_definition(Engine &engine, nb::handle function, nb::handle code);

/// True unless the code, by its places, lies outside of the lambda's body. With the GIL.
bool may_be_code_of(nb::handle lambda, nb::handle code, long line_shift);

/// For a session that was left in a parent process.
void forget_texts();

} // namespace kiln::python
