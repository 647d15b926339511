// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host arrays in values, and their copies on a device.
#pragma once

#include <kiln/host_mirror.h>
#include <types/types.h>

namespace kiln {

/// Adds the memory of every host array that the value leads to.
void add_arrays(HostMirror &mirror, const Value &value);

/// Replaces the pointers to device memory in a parameter's bytes, by HostMirror's rule.
void redirect(const HostMirror &mirror, TypeContext &types, TypeRef type, std::byte *bytes);

} // namespace kiln
