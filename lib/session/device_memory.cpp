// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_memory.h"

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

/// Visits the parts of a value's bytes, from the outside in, with their offsets. `visit` says whether it has
/// seen to a part whole.
template <class Visit> void for_each_part(TypeContext &types, TypeRef type, uint64_t offset, Visit &&visit) {
  const DataType *data = type->as<DataType>();
  const Layout *layout = data ? layout_of(types, type) : nullptr;
  if (!layout || layout->size == 0 || visit(*data, offset)) return;
  auto fields = types.field_types(data);
  for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++)
    for_each_part(types, fields[i], offset + layout->offsets[i], visit);
}

uint64_t word_at(const std::byte *bytes, size_t index) {
  uint64_t word;
  std::memcpy(&word, bytes + 8 * index, sizeof word);
  return word;
}

/// Of an abi::ArrayHeader. Empty: it describes memory that there can be.
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
      elements = 0; // and stays so
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

std::vector<MemoryPart> memory_parts(TypeContext &types, std::span<const TypeRef> parameters) {
  std::vector<MemoryPart> parts;
  for (uint32_t i = 0; i < parameters.size(); i++)
    for_each_part(types, parameters[i], 0, [&](const DataType &part, uint64_t offset) {
      auto params = part.params();
      if (part.name().name.text() == "CuDeviceArray" && params.size() >= 2) { // abi::ArrayHeader
        const Layout *element = layout_of(types, params[0]), *whole = layout_of(types, &part);
        // Pointer, size, dimensions, length: 8 bytes each.
        parts.push_back({.parameter = i,
                         .is_array = true,
                         .offset = offset,
                         .rank = uint32_t(whole->size / 8 - 3),
                         .element_bytes = element ? element->size : 0});
        return true;
      }
      const bool is_pointer =
          &part.name() == types.builtins().LLVMPtrName || &part.name() == types.builtins().PtrName;
      if (is_pointer) parts.push_back({.parameter = i, .offset = offset});
      return is_pointer;
    });
  return parts;
}

Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments) {
  if (arguments.size() != artifact.parameters.size())
    return usage_error(fmt::format("{} takes {} arguments that have bytes, got {}", call,
                                   artifact.parameters.size(), arguments.size()));
  for (size_t i = 0; i < arguments.size(); i++)
    if (!arguments[i])
      return usage_error(fmt::format("argument {} of {} is a null pointer: pass the address of its {} bytes",
                                     i + 1, call, artifact.parameters[i].size));
  for (const MemoryPart &part : parts) {
    if (!part.is_array) continue;
    std::string fault =
        fault_of_array(static_cast<const std::byte *>(arguments[part.parameter]) + part.offset, part);
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

void for_each_pointer(TypeContext &types, TypeRef type, std::byte *bytes,
                      const std::function<void(std::byte *)> &visit) {
  for_each_part(types, type, 0, [&](const DataType &part, uint64_t offset) {
    if (&part.name() != types.builtins().LLVMPtrName) return false;
    visit(bytes + offset);
    return true;
  });
}

} // namespace kiln
