// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places of addresses in a function's parameters, from their types.
#pragma once

#include <devices/devices.h>
#include <types/types.h>

#include <span>
#include <vector>

namespace kiln {

/// Finds the places of addresses in the bytes of a function's arguments.
std::vector<MemoryPart> memory_parts(TypeContext &types, std::span<const TypeRef> parameters);

} // namespace kiln
