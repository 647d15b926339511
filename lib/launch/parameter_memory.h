// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a function's parameters addresses lie, by their types.
#pragma once

#include <devices/devices.h>
#include <types/types.h>

#include <span>
#include <vector>

namespace kiln {

/// Where in the bytes of a function's arguments addresses lie.
std::vector<MemoryPart> memory_parts(TypeContext &types, std::span<const TypeRef> parameters);

} // namespace kiln
