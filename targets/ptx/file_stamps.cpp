// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

namespace kiln::ptx {

// Writes a timestamp and a size of 0 into .file directives. PTX ISA, "Debugging Directives: .file": `.file
// index "name", timestamp, size`. If the numbers are missing or the timestamp is 0, assemblers take them from
// the file. They search the file relative to their own working directory.
std::string stamp_files(std::string text) {
  constexpr std::string_view directive = "\t.file\t", stamp = ", 1, 0";
  for (size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at + 1)) {
    size_t end = std::min(text.find('\n', at), text.size());
    if (text[end - 1] != '"') continue;
    text.insert(end, stamp);
    // LLVM writes a quotation mark in a file name as \". For the assemblers that mark would end the name.
    for (size_t quote = text.find("\\\"", at); quote < end; quote = text.find("\\\"", quote)) {
      if (text[quote - 1] != '\\') text.replace(quote, 2, "''");
      quote += 2;
    }
  }
  return text;
}

} // namespace kiln::ptx
