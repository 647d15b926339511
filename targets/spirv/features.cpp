// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

namespace kiln::spirv {
namespace {

struct Row {
  std::string_view word, capability, meaning;
};
constexpr std::array rows{
#define KILN_SPIRV_FEATURE(name, capability, meaning) Row{#name, capability, meaning},
#include "features.def"
#undef KILN_SPIRV_FEATURE
};

} // namespace

Result<Features> read_features(std::string_view words) {
  Features found;
  if (words.empty()) {
    for (size_t i = 0; i < rows.size(); ++i) found.add(Feature(i));
    return found;
  }
  while (true) {
    const size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    size_t i = 0;
    while (i < rows.size() && rows[i].word != word) ++i;
    if (i == rows.size()) {
      std::vector<std::string_view> known;
      for (const Row &row : rows) known.push_back(row.word);
      return usage_error(fmt::format("no feature of an OpenCL device is named `{}`: take some of {}", word,
                                     fmt::join(known, ", ")));
    }
    found.add(Feature(i));
    if (comma == words.npos) return found;
    words.remove_prefix(comma + 1);
  }
}

std::string text_of(Feature feature) {
  const Row &row = rows[size_t(feature)];
  if (row.capability.empty()) return std::string(row.meaning);
  return fmt::format("{} ({})", row.capability, row.meaning);
}

} // namespace kiln::spirv
