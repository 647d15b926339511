// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parser of the logs of NVIDIA's assemblers. The driver's assembler writes the same format.
#pragma once

#include <kiln/job.h>
#include <support/support.h>

#include <span>

namespace kiln {

/// Reads the resources of `entry` from a log written with -v. `functions`: the functions that belong to
/// `entry`, itself included, if the text holds others too. Empty: all functions of the text.
KernelResources kernel_resources_from(std::string_view log, std::string_view entry,
                                      std::span<const std::string> functions = {});
/// Makes an error of the log's complaints, each with the source line of its PTX line. Never empty.
Error assembler_error(std::string_view log, std::string_view ptx, const std::string &tool,
                      const SourceMap &sources);
/// Size in bytes of the constant bank for the kernel's parameters, from the cubin's sections. 0: the cubin
/// has no such bank.
uint32_t constant_bank_bytes(std::string_view cubin, std::string_view entry);

} // namespace kiln
