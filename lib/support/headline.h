// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/result.h>

#include <string>

namespace kiln {

/// "NAME: message", as Julia shows an exception; the message alone if the diagnostic has no name of its own.
inline std::string headline(const Diagnostic &diagnostic) {
  const std::string_view name = diagnostic.name();
  if (name.empty() || name == "error") return diagnostic.message;
  return std::string(name) + ": " + diagnostic.message;
}

} // namespace kiln
