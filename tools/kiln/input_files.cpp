// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads the input files of a command, and adds hints to errors for words that are no files.
#include "options.h"

#include <filesystem>

namespace kiln::tool {

/// Hint for a word that names no file. Empty: unknown.
static std::string meant_by_file(const std::string &word) {
  std::error_code unknown;
  if (std::filesystem::exists(word, unknown)) return {};
  if (std::filesystem::exists(word + ".jl", unknown)) return fmt::format("did you mean {}.jl?", word);
  if (word.find('.') == word.npos)
    return "files stand first, and the function or call last; an argument is given by --arg EXPR";
  return {};
}

Result<void> load_files(Session &session, const std::vector<std::string> &files) {
  for (const std::string &file : files) {
    auto loaded = session.load_file(file);
    if (loaded.ok()) continue;
    Error error = loaded.take_error();
    if (Diagnostic &first = error.diagnostics()[0]; first.hint.empty()) first.hint = meant_by_file(file);
    return error;
  }
  return {};
}

} // namespace kiln::tool
