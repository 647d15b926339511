// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_memory.h"

#include <support/count.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

namespace {

/// Checks quickly that an abi::ArrayHeader describes possible memory. False for some valid headers too: empty
/// arrays with enormous dimensions. Uses no division, since each launch checks each array.
bool is_clearly_right(const std::byte *header, const MemoryPart &part) {
  uint64_t elements = 1, bytes;
  for (uint32_t i = 0; i < part.rank; i++) {
    const uint64_t n = word_at(header, 2 + i);
    if (int64_t(n) < 0 || __builtin_mul_overflow(elements, n, &elements)) return false;
  }
  if (__builtin_mul_overflow(elements, part.element_bytes, &bytes) || bytes > uint64_t(INT64_MAX))
    return false;
  return word_at(header, 2 + part.rank) == elements && word_at(header, 1) >= bytes &&
         (word_at(header, 0) || !bytes);
}

/// Describes what is wrong with an array header. Empty: nothing.
std::string fault_of_array(const std::byte *header, const MemoryPart &part) {
  const uint64_t pointer = word_at(header, 0), max_size = word_at(header, 1),
                 length = word_at(header, 2 + part.rank);
  auto dims = [&] {
    std::string text;
    for (uint32_t i = 0; i < part.rank; i++)
      text += fmt::format("{}{}", i ? "x" : "", int64_t(word_at(header, 2 + i)));
    return text;
  };
  uint64_t elements = 1;
  bool is_empty = false;
  for (uint32_t i = 0; i < part.rank; i++) {
    const auto n = int64_t(word_at(header, 2 + i));
    if (n < 0) return fmt::format("an array of {} elements: a dimension is negative", dims());
    is_empty |= n == 0;
    if (n && elements > uint64_t(INT64_MAX) / std::max<uint64_t>(part.element_bytes, 1) / uint64_t(n))
      elements = 0; // stays 0 from now on
    elements *= uint64_t(std::max<int64_t>(n, 1));
  }
  if (is_empty)
    elements = 0;
  else if (elements == 0)
    return fmt::format("an array of {} elements of {} bytes has more bytes than there are", dims(),
                       part.element_bytes);
  if (length != elements)
    return fmt::format("an array of {} elements whose length says {}", dims(), int64_t(length));
  if (max_size < elements * part.element_bytes)
    return fmt::format("an array of {} elements of {} bytes in memory of {} bytes", dims(),
                       part.element_bytes, int64_t(max_size));
  if (!pointer && elements * part.element_bytes)
    return fmt::format("an array of {} elements at a null pointer", dims());
  return {};
}

} // namespace

Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments) {
  if (arguments.size() != artifact.parameters.size())
    return usage_error(fmt::format(
        "{} takes {}, got {}", call,
        counted(artifact.parameters.size(), "argument that has bytes", "arguments that have bytes"),
        arguments.size()));
  for (size_t i = 0; i < arguments.size(); i++)
    if (!arguments[i])
      return usage_error(fmt::format("argument {} of {} is a null pointer: pass the address of its {} bytes",
                                     i + 1, call, artifact.parameters[i].size));
  return check_arrays(call, artifact, parts, arguments);
}

Result<void> check_arrays(std::string_view call, const Artifact &artifact, std::span<const MemoryPart> parts,
                          std::span<const void *const> arguments) {
  for (const MemoryPart &part : parts) {
    if (!part.is_array) continue;
    const auto *header = static_cast<const std::byte *>(arguments[part.parameter]) + part.offset;
    if (is_clearly_right(header, part)) [[likely]]
      continue;
    std::string fault = fault_of_array(header, part);
    if (!fault.empty())
      return usage_error(
          fmt::format("argument {} of {}: {}", artifact.parameters[part.parameter].argument, call, fault));
  }
  return {};
}

DeviceMemory device_memory(const Artifact &artifact, std::span<const MemoryPart> parts,
                           std::span<const void *const> arguments) {
  DeviceMemory memory;
  for (const MemoryPart &part : parts) {
    memory.has_pointers |= !part.is_array;
    const auto *at = static_cast<const std::byte *>(arguments[part.parameter]) + part.offset;
    if (part.is_array)
      memory.ranges.push_back(
          {uintptr_t(word_at(at, 0)), word_at(at, 1), artifact.parameters[part.parameter].argument});
  }
  return memory;
}

bool are_apart(DeviceMemory memory) {
  if (memory.has_pointers) return false;
  std::erase_if(memory.ranges, [](const MemoryRange &range) { return range.bytes == 0; });
  std::sort(memory.ranges.begin(), memory.ranges.end(),
            [](const MemoryRange &a, const MemoryRange &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < memory.ranges.size(); i++)
    if (memory.ranges[i].begin - memory.ranges[i - 1].begin < memory.ranges[i - 1].bytes) return false;
  return true;
}

} // namespace kiln
