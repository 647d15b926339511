// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spirv_module.h"

#include "opencl_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace kiln {

namespace {

constexpr uint32_t magic = 0x07230203;
constexpr size_t header_words = 5;
enum Instruction : uint32_t { OpEntryPoint = 15, OpExecutionMode = 16, OpCapability = 17 };
constexpr uint32_t sub_group_size_mode = 35;

/// Capabilities of SPIR-V (specification, section 3.31) that not every device with SPIR-V has.
struct CapabilityRow {
  uint32_t number;
  const char *feature;
};
constexpr CapabilityRow capabilities[] = {
    {9, "fp16"},              // Float16
    {10, "fp64"},             // Float64
    {12, "int64_atomics"},    // Int64Atomics
    {38, "generic"},          // GenericPointer
    {58, "subgroups"},        // SubgroupDispatch
    {62, "vote"},             // GroupNonUniformVote
    {64, "ballot"},           // GroupNonUniformBallot
    {65, "shuffle"},          // GroupNonUniformShuffle
    {66, "shuffle_relative"}, // GroupNonUniformShuffleRelative
    {6033, "float_atomics"},  // AtomicFloat32AddEXT
    {6034, "float_atomics"},  // AtomicFloat64AddEXT
};

/// The words of a module.
class Words {
public:
  explicit Words(std::string_view bytes) : bytes_(bytes) {}
  uint32_t at(size_t index) const {
    uint32_t value;
    std::memcpy(&value, bytes_.data() + 4 * index, sizeof value);
    return value;
  }
  /// Returns the text that begins at a word; it ends with a zero byte or at word `end`.
  std::string_view text(size_t begin, size_t end) const {
    const std::string_view all = bytes_.substr(4 * begin, 4 * (end - begin));
    return all.substr(0, all.find('\0'));
  }
  /// Calls `visit(instruction, first operand, end of operands)`. Error: Input.
  template <class Visit> Result<void> each(Visit &&visit) const {
    const size_t words = bytes_.size() / 4;
    if (bytes_.size() % 4 || words < header_words || at(0) != magic)
      return input_error("the code is no SPIR-V module: it does not begin with SPIR-V's header");
    for (size_t begin = header_words; begin < words;) {
      const uint32_t first = at(begin), length = first >> 16;
      if (length == 0 || length > words - begin)
        return input_error(fmt::format("the SPIR-V module is cut off or damaged at word {}", begin));
      visit(first & 0xffff, begin + 1, begin + length);
      begin += length;
    }
    return {};
  }

private:
  const std::string_view bytes_;
};

} // namespace

Result<SpirvNeeds> read_spirv(std::string_view bytes) {
  const Words words(bytes);
  SpirvNeeds needs;
  KILN_CHECK(words.each([&](uint32_t instruction, size_t begin, size_t end) {
    if (instruction == OpCapability && end - begin == 1) {
      for (const CapabilityRow &row : capabilities)
        if (row.number == words.at(begin)) needs.features.emplace_back(row.feature);
    } else if (instruction == OpExecutionMode && end - begin == 3 &&
               words.at(begin + 1) == sub_group_size_mode) {
      needs.features.push_back(fmt::format("subgroups{}", words.at(begin + 2)));
    }
  }));
  const uint32_t version = words.at(1);
  needs.version = int(version >> 16 & 0xff) * 10 + int(version >> 8 & 0xff);
  std::ranges::sort(needs.features);
  needs.features.erase(std::unique(needs.features.begin(), needs.features.end()), needs.features.end());
  return needs;
}

Result<uint32_t> sub_group_size_of(std::string_view bytes, std::string_view entry) {
  const Words words(bytes);
  uint32_t id = 0, size = 0; // entry points precede execution modes; id 0 is no id
  KILN_CHECK(words.each([&](uint32_t instruction, size_t begin, size_t end) {
    if (instruction == OpEntryPoint && end - begin >= 3 && words.text(begin + 2, end) == entry)
      id = words.at(begin + 1);
    else if (instruction == OpExecutionMode && end - begin == 3 && id && words.at(begin) == id &&
             words.at(begin + 1) == sub_group_size_mode)
      size = words.at(begin + 2);
  }));
  return size;
}

std::string missing_features(const SpirvNeeds &needs, std::string_view device_features) {
  std::vector<std::string> missing;
  for (const std::string &feature : needs.features)
    if (!has_feature_word(device_features, feature)) missing.push_back(feature);
  return fmt::format("{}", fmt::join(missing, ", "));
}

} // namespace kiln
