// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NVIDIA's assemblers say, the driver's own among them: they have one format.
#pragma once

#include <kiln/job.h>
#include <support/support.h>

#include <span>

namespace kiln {

/// What the tools say with -v of `entry`. `functions`: those that belong to it, itself included, where the
/// text holds others; empty: all.
KernelResources kernel_resources_from(std::string_view log, std::string_view entry,
                                      std::span<const std::string> functions = {});
/// Its complaints, each with the source line that the PTX line comes from; never empty.
Error assembler_error(std::string_view log, std::string_view ptx, const std::string &tool,
                      const SourceMap &sources);
/// Bytes of the constant bank that holds the kernel's parameters, from the cubin's sections; 0 if it has
/// none.
uint32_t constant_bank_bytes(std::string_view cubin, std::string_view entry);

} // namespace kiln
