// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

namespace kiln {

namespace {

/// Calls `visit` with the type and offset of a value, then of its fields, at every depth. If `visit` returns
/// true, the fields of that value are skipped.
template <class Visit> void for_each_part(TypeContext &types, TypeRef type, uint64_t offset, Visit &&visit) {
  const DataType *data = type->as<DataType>();
  const Layout *layout = data ? layout_of(types, type) : nullptr;
  if (!layout || layout->size == 0 || visit(*data, offset)) return;
  auto fields = types.field_types(data);
  for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++)
    for_each_part(types, fields[i], offset + layout->offsets[i], visit);
}

} // namespace

std::vector<MemoryPart> memory_parts(TypeContext &types, std::span<const TypeRef> parameters) {
  std::vector<MemoryPart> parts;
  for (uint32_t i = 0; i < parameters.size(); i++)
    for_each_part(types, parameters[i], 0, [&](const DataType &part, uint64_t offset) {
      auto params = part.params();
      if (part.name().name.text() == "CuDeviceArray" && params.size() >= 2) { // abi::ArrayHeader
        const Layout *element = layout_of(types, params[0]), *whole = layout_of(types, &part);
        // A CuDeviceArray consists of pointer, size, dimensions and length, 8 bytes each.
        parts.push_back({.parameter = i,
                         .is_array = true,
                         .offset = offset,
                         .rank = uint32_t(whole->size / 8 - 3),
                         .element_bytes = element ? element->size : 0});
        return true;
      }
      const bool is_host = &part.name() == types.builtins().PtrName;
      const bool is_pointer = is_host || &part.name() == types.builtins().LLVMPtrName;
      if (is_pointer) parts.push_back({.parameter = i, .offset = offset, .is_host = is_host});
      return is_pointer;
    });
  return parts;
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
