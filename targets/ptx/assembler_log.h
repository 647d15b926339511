// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parser of the logs of NVIDIA's assemblers. The driver's assembler writes the same format.
#pragma once

#include <kiln/job.h>
#include <support/support.h>

#include <span>

namespace kiln {

/// Reads the resources of `entry` from a log written with -v. `functions`: the entry and the functions that
/// it calls, for a text with several kernels. Empty: all functions of the text belong to the entry.
KernelResources kernel_resources_from(std::string_view log, std::string_view entry,
                                      std::span<const std::string> functions = {});
/// Makes an error from the messages in the log, each with the source line of its PTX line. The error has at
/// least one diagnostic.
Error assembler_error(std::string_view log, std::string_view ptx, const std::string &tool,
                      const SourceMap &sources);
/// Size in bytes of the constant bank for the kernel's parameters, read from the cubin's sections. 0: the
/// cubin has no such bank.
uint32_t constant_bank_bytes(std::string_view cubin, std::string_view entry);

} // namespace kiln
