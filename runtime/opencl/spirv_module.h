// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads from a SPIR-V module what a device needs to run it, so that an error comes before the driver's.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Needs of a SPIR-V module.
struct SpirvNeeds {
  int version = 0;                   ///< version x 10 of the module
  std::vector<std::string> features; ///< words of DeviceFacts::features, sorted, without duplicates
};

/// Reads the needs of a module in the byte order of this machine. Error: Input, for bytes that are no SPIR-V
/// module.
Result<SpirvNeeds> read_spirv(std::string_view bytes);

/// Returns the size of sub-groups that a kernel of the module requires; 0: any. Error: Input, as read_spirv.
Result<uint32_t> sub_group_size_of(std::string_view bytes, std::string_view entry);

/// Returns the features among the needs that the device lacks: "fp64, subgroups32"; empty: none.
std::string missing_features(const SpirvNeeds &needs, std::string_view device_features);

} // namespace kiln
