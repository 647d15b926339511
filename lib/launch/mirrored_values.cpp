// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

#include "parameter_memory.h"

#include <cstring>

namespace kiln {

void add_arrays(HostMirror &mirror, const Value &value) {
  if (auto array = value.as_array() ? value.shared_array() : nullptr)
    mirror.add({array->bytes.data(), array->bytes.size()});
  if (const std::vector<Value> *fields = value.fields())
    for (const Value &field : *fields) add_arrays(mirror, field);
}

void redirect(const HostMirror &mirror, TypeContext &types, TypeRef type, std::byte *bytes) {
  for_each_pointer(types, type, bytes, [&](std::byte *at) {
    uint64_t address = 0;
    std::memcpy(&address, at, sizeof address);
    address = mirror.device_address(address).value_or(address);
    std::memcpy(at, &address, sizeof address);
  });
}

} // namespace kiln
