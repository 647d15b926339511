// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the offsets of addresses in a function's parameters, from the parameters' types.
#pragma once

#include <devices/devices.h>
#include <types/types.h>

#include <span>
#include <vector>

namespace kiln {

/// Returns each pointer and device array in the bytes of a function's arguments, with its offset.
std::vector<MemoryPart> memory_parts(TypeContext &types, std::span<const TypeRef> parameters);

} // namespace kiln
