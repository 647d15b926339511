// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory a launch's arguments give to the kernel: what its checker allows, what a GPU needs a copy of.
#include "session.h"

namespace kiln {

namespace {

class ArgumentMemory {
public:
  ArgumentMemory(TypeContext &types, DeviceMemory &memory) : types_(types), memory_(memory) {}

  void collect(TypeRef type, const std::byte *bytes, uint32_t argument) {
    const DataType *data = type->as<DataType>();
    const Layout *layout = data ? layout_of(types_, type) : nullptr;
    if (!layout || layout->size == 0) return;
    if (&data->name() == types_.builtins().LLVMPtrName) {
      memory_.has_pointers = true; // nobody knows what is behind it
      return;
    }
    if (data->name().name.text() == "CuDeviceArray") { // abi::ArrayHeader
      uint64_t words[2];
      std::memcpy(words, bytes, sizeof words);
      memory_.ranges.push_back({uintptr_t(words[0]), words[1], argument});
      return;
    }
    auto fields = types_.field_types(data);
    for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++) collect(fields[i], bytes + layout->offsets[i], argument);
  }

private:
  TypeContext &types_;
  DeviceMemory &memory_;
};

} // namespace

DeviceMemory Session::State::device_memory(const PreparedFunction &function, std::span<const void *const> arguments) {
  DeviceMemory memory;
  ArgumentMemory collector(types, memory);
  for (size_t i = 0; i < arguments.size(); i++)
    collector.collect(function.parameters[i], static_cast<const std::byte *>(arguments[i]), function.artifact->parameters[i].argument);
  return memory;
}

void Session::State::for_each_pointer(TypeRef type, std::byte *bytes, const std::function<void(std::byte *)> &visit) {
  const DataType *data = type->as<DataType>();
  const Layout *layout = data ? layout_of(types, type) : nullptr;
  if (!layout || layout->size == 0) return;
  if (&data->name() == types.builtins().LLVMPtrName) return visit(bytes);
  auto fields = types.field_types(data);
  for (size_t i = 0; i < fields.size() && i < layout->offsets.size(); i++) for_each_pointer(fields[i], bytes + layout->offsets[i], visit);
}

} // namespace kiln
