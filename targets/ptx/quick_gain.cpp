// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which texts the quick tier is for. The time that optimising assembly takes does not follow from a text's
// size: what it takes longer for are loops, many branches, and very many instructions.
#include "assembler.h"

#include <unordered_set>

namespace kiln::ptx {

namespace {

// From docs/measurements/2026-11-22-quick-tier.md: texts at or above one of these were assembled about twice
// as fast, or better; of those below, most gain less in assembling than a first launch takes besides. Loops
// between much straight-line code, such as libdevice's, count for little.
constexpr size_t many_loops = 12, instructions_a_loop = 40, many_branches = 400, many_instructions = 8000;

std::string_view trimmed(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin == line.npos ? std::string_view() : line.substr(begin);
}

/// Where a branch goes: "$L__BB0_2" of "@%p1 bra $L__BB0_2;". Empty: the line is none.
std::string_view target_of(std::string_view line) {
  if (line.starts_with('@')) line = trimmed(line.substr(std::min(line.find(' '), line.size())));
  for (const std::string_view branch : {"bra ", "bra\t", "bra.uni "})
    if (line.starts_with(branch)) {
      const std::string_view target = trimmed(line.substr(branch.size()));
      return target.substr(0, target.find(';'));
    }
  return {};
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
  std::unordered_set<std::string_view> labels; // above the line
  size_t loops = 0, branches = 0, instructions = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = trimmed(text.substr(at, end - at));
    at = end + 1;
    if (line.starts_with('.') && is_state(line)) return false;
    if (line.empty() || line.find_first_of(".{}()/") == 0) continue; // a directive, a brace, a comment
    if (line.starts_with('$')) {
      if (const size_t colon = line.find(':'); colon != line.npos) labels.insert(line.substr(0, colon));
      continue;
    }
    instructions++;
    if (const std::string_view target = target_of(line); !target.empty())
      (labels.contains(target) ? loops : branches)++;
  }
  return (loops >= many_loops && instructions <= instructions_a_loop * loops) || branches >= many_branches ||
         instructions >= many_instructions;
}

} // namespace kiln::ptx
