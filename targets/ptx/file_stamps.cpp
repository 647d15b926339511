// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

namespace kiln::ptx {

// PTX ISA, "Debugging Directives: .file": `.file index "name", timestamp, size`. Assemblers fill in
// missing numbers and a timestamp of 0 from the file, which they look up relative to their own working
// directory.
std::string stamp_files(std::string text) {
  constexpr std::string_view directive = "\t.file\t", stamp = ", 1, 0";
  for (size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at + 1)) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (text[end - 1] != '"') continue;
    text.insert(end, stamp);
    // LLVM writes a quotation mark in a name as \", which ends the name for the assemblers.
    for (size_t quote = text.find("\\\"", at); quote < end; quote = text.find("\\\"", quote)) {
      if (text[quote - 1] != '\\') text.replace(quote, 2, "''");
      quote += 2;
    }
  }
  return text;
}

} // namespace kiln::ptx
