// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which texts the quick tier is for: those with very many branches or instructions. Many loops take
// optimising assembly longer too, but not by enough: the compile to PTX, which a first launch waits for as
// well, grows with them.
#include "assembler.h"

namespace kiln::ptx {

namespace {

// docs/design/quick-tier.md: first launches of texts at or above one of these gained 1.5 and more; 20 to 60
// loops in a row, 1.2 to 1.4.
constexpr size_t many_branches = 400, many_instructions = 8000;

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

bool is_branch(std::string_view line) {
  if (line.starts_with('@')) line = trimmed(line.substr(std::min(line.find(' '), line.size())));
  return line.starts_with("bra ") || line.starts_with("bra\t") || line.starts_with("bra.uni ");
}

/// Whether a directive defines a variable that launches could leave something in, or an embedder set
/// (Kernel::global): optimised code has another copy of it. Kiln's texts and libdevice's tables are constant.
bool is_state(std::string_view directive) {
  size_t at = directive.find(".global ");
  if (at == directive.npos) at = directive.find(".const ");
  if (at == directive.npos) return false;
  const std::string_view definition = directive.substr(0, directive.find_first_of("[;=", at));
  const size_t end = definition.find_last_not_of(" \t");
  const std::string_view name = definition.substr(definition.find_last_of(" \t", end) + 1);
  return !name.starts_with("kiln_text") && !name.starts_with("__cudart_");
}

} // namespace

bool gains_from_quick_options(std::string_view text) {
  size_t branches = 0, instructions = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.starts_with('.') && is_state(line)) return false;
    if (line.empty() || line.find_first_of(".{}()/$") == 0) continue; // a directive, brace, comment or label
    instructions++;
    branches += is_branch(line);
  }
  return branches >= many_branches || instructions >= many_instructions;
}

} // namespace kiln::ptx
