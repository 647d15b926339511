// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects PTX texts for the quick tier (fast assembling for first launches) by their number of branches or
// instructions. Texts with many loops also take longer to assemble. They gain less, since their compile to
// PTX, a part of the first launch, takes longer too.
#include "assembler.h"

namespace kiln::ptx {

namespace {

// First launches of texts above one of these limits became faster by a factor of 1.5 or more. Texts with 20
// to 60 consecutive loops gained 1.2 to 1.4. Source: docs/design/quick-tier.md.
constexpr size_t min_branches = 400, min_instructions = 8000;

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

bool is_branch(std::string_view line) {
  if (line.starts_with('@')) line = trimmed(line.substr(std::min(line.find(' '), line.size())));
  return line.starts_with("bra ") || line.starts_with("bra\t") || line.starts_with("bra.uni ");
}

/// Returns true if a directive defines a variable that keeps a value between launches, or that an embedder
/// sets (Kernel::global). Optimised code would have a separate copy of such a variable. Kiln's strings and
/// libdevice's tables are constant.
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
    if (line.empty() || line.find_first_of(".{}()/$") == 0) continue; // directive, brace, comment or label
    instructions++;
    branches += is_branch(line);
  }
  return branches >= min_branches || instructions >= min_instructions;
}

} // namespace kiln::ptx
