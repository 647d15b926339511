// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects incomplete text at a prompt, by its brackets, quotes and block words. It does not parse, since only
// a frontend knows the syntax. Text with other faults counts as complete, and the parser reports them. Also
// completes names.
#include "programs.h"

#include <algorithm>
#include <cctype>

namespace kiln {

namespace {

bool is_word(char c) {
  return std::isalnum(uint8_t(c)) || c == '_' || c == '!' || c == '@' || uint8_t(c) >= 0x80;
}

/// Returns the end of the string literal that starts at `at`. npos: it is unterminated.
size_t after_string(std::string_view text, size_t at) {
  const std::string_view quote = text.substr(at, 3) == "\"\"\"" ? "\"\"\"" : "\"";
  for (size_t i = at + quote.size(); i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text.substr(i, quote.size()) == quote)
      return i + quote.size();
  }
  return text.npos;
}

} // namespace

const Module *module_at(CompilerWorld &world, std::string_view path) {
  const Module *at = world.main();
  while (!path.empty()) {
    const size_t dot = path.find('.');
    auto value = world.lookup(*at, world.types().symbol(path.substr(0, dot)), world.age());
    at = value.ok() && *value ? (*value)->as_module() : nullptr;
    if (!at) return nullptr;
    path.remove_prefix(dot + 1);
  }
  return at;
}

std::vector<std::string> Program::completions(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  const std::string_view typed = text.substr(begin);
  const size_t dot = typed.rfind('.');
  const std::string_view path = dot == typed.npos ? std::string_view() : typed.substr(0, dot + 1);
  const std::string_view word = typed.substr(path.size());
  if (path.empty() && word.empty()) return {};
  std::lock_guard lock(state_->definitions.mutex());
  CompilerWorld &world = state_->world();
  const Module *module = module_at(world, path);
  if (!module) return {};
  std::vector<std::string> found;
  for (Symbol name : path.empty() ? world.visible_names(*module) : world.names(*module)) {
    const std::string_view text_of_name = name.text();
    const bool is_typed_name = std::all_of(text_of_name.begin(), text_of_name.end(), is_word);
    if (is_typed_name && text_of_name.starts_with(word)) found.emplace_back(text_of_name);
  }
  return found;
}

bool Program::is_complete(std::string_view text) {
  static constexpr std::string_view openers[] = {"function", "if",         "for",    "while", "begin",
                                                 "let",      "struct",     "module", "do",    "try",
                                                 "quote",    "baremodule", "macro"};
  int blocks = 0, brackets = 0;
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '#') {
      if (text.substr(i, 2) == "#=") {
        const size_t end = text.find("=#", i);
        if (end == text.npos) return false;
        i = end + 2;
      } else {
        i = std::min(text.find('\n', i), text.size());
      }
    } else if (c == '"') {
      i = after_string(text, i);
      if (i == text.npos) return false;
    } else if (c == '(' || c == '[' || c == '{') {
      ++brackets;
      ++i;
    } else if (c == ')' || c == ']' || c == '}') {
      --brackets;
      ++i;
    } else if (is_word(c)) {
      const size_t begin = i;
      while (i < text.size() && is_word(text[i])) ++i;
      const std::string_view word = text.substr(begin, i - begin);
      const bool is_name = begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == ':');
      if (is_name || brackets > 0) continue; // no block word: part of a path or symbol, or in brackets
      if (word == "end") --blocks;
      for (std::string_view opener : openers) blocks += word == opener;
    } else {
      ++i;
    }
  }
  const size_t last = text.find_last_not_of(" \t\r\n");
  const bool continues = last != text.npos && last > 0 &&
                         std::string_view("=+*/,&|").find(text[last]) != std::string_view::npos &&
                         text[last - 1] != ':';
  return blocks <= 0 && brackets <= 0 && !continues;
}

} // namespace kiln
