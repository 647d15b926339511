// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between values of the language and the bytes of a launch.
#pragma once

#include <world/world.h>

namespace kiln {

/// What a kernel sees of a host array: a CuDeviceArray{T, N, 1} on its memory, which must stay. Other values
/// as they are; tuples and structs are adapted inside. Error: Input (KernelError), for what no kernel takes.
Result<Value> adapt(World &world, const Value &value);

} // namespace kiln
