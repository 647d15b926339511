// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory a launch's arguments give to the kernel: what its checker allows, what a GPU needs a copy of.
#include "session.h"

namespace kiln {

namespace {

/// Visits the parts of a value's bytes, from the outside in. `visit` says whether it has seen to a part whole.
template <class Visit> void for_each_part(TypeContext &types, TypeRef type, std::byte *bytes, Visit &&visit) {
  const DataType *data = type->as<DataType>();
  const Layout *layout = data ? layout_of(types, type) : nullptr;
  if (!layout || layout->size == 0 || visit(*data, bytes)) return;
  auto fields = types.field_types(data);
  for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++) for_each_part(types, fields[i], bytes + layout->offsets[i], visit);
}

} // namespace

DeviceMemory Session::State::device_memory(const Artifact &artifact, std::span<const TypeRef> parameters, std::span<const void *const> arguments) {
  DeviceMemory memory;
  for (size_t i = 0; i < arguments.size(); i++) {
    // Only read here; the walk is that of for_each_pointer, whose callers write.
    auto *bytes = static_cast<std::byte *>(const_cast<void *>(arguments[i]));
    for_each_part(types, parameters[i], bytes, [&](const DataType &part, const std::byte *at) {
      if (part.name().name.text() == "CuDeviceArray") { // abi::ArrayHeader
        uint64_t words[2];
        std::memcpy(words, at, sizeof words);
        memory.ranges.push_back({uintptr_t(words[0]), words[1], artifact.parameters[i].argument});
        return true;
      }
      bool is_pointer = &part.name() == types.builtins().LLVMPtrName || &part.name() == types.builtins().PtrName;
      memory.has_pointers |= is_pointer; // nobody knows what is behind it
      return is_pointer;
    });
  }
  return memory;
}

bool are_apart(DeviceMemory memory) {
  if (memory.has_pointers) return false;
  std::erase_if(memory.ranges, [](const MemoryRange &range) { return range.bytes == 0; });
  std::sort(memory.ranges.begin(), memory.ranges.end(), [](const MemoryRange &a, const MemoryRange &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < memory.ranges.size(); i++)
    if (memory.ranges[i].begin - memory.ranges[i - 1].begin < memory.ranges[i - 1].bytes) return false;
  return true;
}

void Session::State::for_each_pointer(TypeRef type, std::byte *bytes, const std::function<void(std::byte *)> &visit) {
  for_each_part(types, type, bytes, [&](const DataType &part, std::byte *at) {
    if (&part.name() != types.builtins().LLVMPtrName) return false;
    visit(at);
    return true;
  });
}

} // namespace kiln
