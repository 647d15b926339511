// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization form C of Unicode: https://www.unicode.org/reports/tr15.
#include "composition.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>

namespace kiln::julia {

namespace {

struct Decomposition {
  uint32_t code, first, second;
  bool composes;
};

#include "composition_tables.inc"

// Hangul syllables: L, V and T are leading consonants, vowels and trailing consonants.
constexpr uint32_t l_base = 0x1100, v_base = 0x1161, t_base = 0x11a7, s_base = 0xac00;
constexpr uint32_t l_count = 19, v_count = 21, t_count = 28, s_count = l_count * v_count * t_count;

uint8_t combining_class(uint32_t code) {
  static const std::map<uint32_t, uint8_t> classes = [] { // by the last character of a run
    std::map<uint32_t, uint8_t> made;
    uint32_t next = 0;
    for (const uint32_t run : class_runs) made[(next += run >> 8) - 1] = uint8_t(run & 255);
    return made;
  }();
  const auto found = classes.lower_bound(code);
  return found == classes.end() ? 0 : found->second;
}

void decompose(uint32_t code, std::vector<uint32_t> &out) {
  if (code - s_base < s_count) {
    const uint32_t index = code - s_base;
    out.push_back(l_base + index / (v_count * t_count));
    out.push_back(v_base + index % (v_count * t_count) / t_count);
    if (index % t_count) out.push_back(t_base + index % t_count);
    return;
  }
  const auto *found = std::ranges::lower_bound(decompositions, code, {}, &Decomposition::code);
  if (found == std::end(decompositions) || found->code != code) return out.push_back(code);
  decompose(found->first, out);
  if (found->second) decompose(found->second, out);
}

/// Returns the character that the two compose. 0: none.
uint32_t composition(uint32_t first, uint32_t second) {
  if (first - l_base < l_count && second - v_base < v_count)
    return s_base + ((first - l_base) * v_count + second - v_base) * t_count;
  if (first - s_base < s_count && (first - s_base) % t_count == 0 && second > t_base &&
      second - t_base < t_count)
    return first + second - t_base;
  static const std::map<std::pair<uint32_t, uint32_t>, uint32_t> compositions = [] {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> made;
    for (const Decomposition &each : decompositions)
      if (each.composes && each.second) made[{each.first, each.second}] = each.code;
    return made;
  }();
  const auto found = compositions.find({first, second});
  return found == compositions.end() ? 0 : found->second;
}

void compose(std::vector<uint32_t> &codes) {
  size_t starter = codes.size(), kept = 0;
  int last_class = -1; // of the characters kept after the starter
  for (const uint32_t code : codes) {
    const int of = combining_class(code);
    const bool is_blocked = last_class != -1 && last_class >= of;
    if (starter < kept && !is_blocked)
      if (const uint32_t made = composition(codes[starter], code)) {
        codes[starter] = made;
        continue;
      }
    if (of == 0) {
      starter = kept;
      last_class = -1;
    } else {
      last_class = of;
    }
    codes[kept++] = code;
  }
  codes.resize(kept);
}

} // namespace

std::u32string composed(std::u32string_view text) {
  std::vector<uint32_t> codes;
  for (const char32_t c : text) decompose(c, codes);
  for (size_t begin = 0; begin < codes.size();) { // marks after a letter, in the order of their classes
    size_t end = begin + 1;
    while (end < codes.size() && combining_class(codes[end])) ++end;
    if (!combining_class(codes[begin])) ++begin;
    std::stable_sort(codes.begin() + ptrdiff_t(begin), codes.begin() + ptrdiff_t(end),
                     [](uint32_t a, uint32_t b) { return combining_class(a) < combining_class(b); });
    begin = end;
  }
  compose(codes);
  return {codes.begin(), codes.end()};
}

} // namespace kiln::julia
