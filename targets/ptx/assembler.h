// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of assembling PTX, for the room's own files.
#pragma once

#include "cuda_toolkit.h"

#include <job/job.h>

namespace kiln::ptx {

/// assembler.cpp: the first that is there of nvJitLink (in this process: 3 ms a kernel) and ptxas (a process of its own:
/// 8 ms). KILN_ASSEMBLER=nvjitlink or ptxas takes that one. Error: Machine, with all places that were looked in.
Result<std::unique_ptr<Assembler>> find_assembler();
/// Options that both understand, ptxas's spelling: nvJitLink takes them behind -Xptxas=.
std::vector<std::string> assembler_options(const CompilerConfig &config);

/// nvjitlink.cpp, ptxas.cpp
Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found);
Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found);

/// assembler_log.cpp: what the tools say with -v of `entry`; their format is the same.
KernelResources parse_resources(std::string_view log, const std::string &entry);
/// Its complaints, each with the source line that the PTX line comes from; never empty.
Error assembler_error(std::string_view log, std::string_view ptx, const std::string &tool, const SourceMap &sources);
/// Bytes of the constant bank that holds the kernel's parameters, from the cubin's sections; 0 if it has none.
uint32_t constant_bank_bytes(std::string_view cubin, const std::string &entry);

} // namespace kiln::ptx
