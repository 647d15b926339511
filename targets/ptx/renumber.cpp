// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

#include <cctype>
#include <map>

namespace kiln::ptx {
namespace {

constexpr std::string_view CallSequence = "callseq ";
constexpr std::string_view Prototype = "prototype_";

bool in_identifier(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '.';
}

/// Returns true if ` : .callprototype` follows at `at`, the position after the number of a prototype.
bool defines_prototype(std::string_view text, size_t at) {
  auto skip_blanks = [&] {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  };
  skip_blanks();
  if (at >= text.size() || text[at++] != ':') return false;
  skip_blanks();
  return text.substr(at).starts_with(".callprototype");
}

struct Number {
  size_t begin, end; ///< of the digits
};
/// Parses the number after `prefix` at position `at`. The number must end the identifier.
bool number_after(std::string_view text, size_t at, std::string_view prefix, Number &number) {
  if (!text.substr(at).starts_with(prefix) || (at > 0 && in_identifier(text[at - 1]))) return false;
  number.begin = number.end = at + prefix.size();
  while (number.end < text.size() && std::isdigit(static_cast<unsigned char>(text[number.end]))) ++number.end;
  return number.end > number.begin && (number.end == text.size() || !in_identifier(text[number.end]));
}

} // namespace

std::string renumber_call_sites(std::string text) {
  std::string_view source = text;
  if (source.find(CallSequence) == source.npos && source.find(Prototype) == source.npos) return text;
  // Renumber only prototypes with a definition in the text, since a program may have a function named
  // prototype_7.
  std::map<std::string_view, std::string> prototypes, sequences; // old digits -> new digits
  Number number;
  for (size_t at = source.find(Prototype); at != source.npos; at = source.find(Prototype, at + 1))
    if (number_after(source, at, Prototype, number) && defines_prototype(source, number.end)) {
      std::string fresh = std::to_string(prototypes.size());
      prototypes.emplace(source.substr(number.begin, number.end - number.begin), std::move(fresh));
    }
  std::string result;
  result.reserve(text.size());
  size_t copied = 0;
  auto replace = [&](const std::string &by) {
    result.append(source, copied, number.begin - copied).append(by);
    copied = number.end;
  };
  for (size_t at = 0; at < source.size(); ++at) {
    if (source[at] == 'c' && number_after(source, at, CallSequence, number)) {
      auto [it, fresh] = sequences.try_emplace(source.substr(number.begin, number.end - number.begin));
      if (fresh) it->second = std::to_string(sequences.size() - 1);
      replace(it->second);
    } else if (source[at] == 'p' && number_after(source, at, Prototype, number)) {
      auto it = prototypes.find(source.substr(number.begin, number.end - number.begin));
      if (it != prototypes.end()) replace(it->second);
    }
  }
  result.append(source, copied);
  return result;
}

} // namespace kiln::ptx
