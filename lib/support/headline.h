// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/result.h>

#include <string>

namespace kiln {

/// Formats a diagnostic in one line, "NAME: message", as Julia shows an exception. Only the message if the
/// diagnostic's kind has no name.
inline std::string headline(const Diagnostic &diagnostic) {
  const std::string_view name = diagnostic.name();
  if (name.empty() || name == "error") return diagnostic.message;
  return std::string(name) + ": " + diagnostic.message;
}

} // namespace kiln
