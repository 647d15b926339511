// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of assembling PTX, for the component's own files.
#pragma once

#include "assembler_log.h"
#include "cuda_toolkit.h"
#include "merge_texts.h"

#include <job/job.h>

namespace kiln::ptx {

/// assembler.cpp: the first that is there of nvJitLink (in this process: 3 ms a kernel) and ptxas (a process
/// of its own: 8 ms). KILN_ASSEMBLER=nvjitlink or ptxas takes that one; driver takes neither, and a GPU's
/// driver is asked (lib/session/driver_assembler.cpp). Error: Machine, with all places that were looked in.
Result<std::unique_ptr<Assembler>> find_assembler();
/// Options that both understand, ptxas's spelling: nvJitLink takes them behind -Xptxas=.
std::vector<std::string> assembler_options(const CompilerConfig &config);
/// Whether a text of this config may be assembled with others: also, that nothing is linked to it.
bool can_merge(const CompilerConfig &config, std::string_view text);
/// What the tool made of merge_ptx(inputs), with each kernel's resources from its log.
MergedObject merged_object(std::string cubin, std::string_view log, std::span<const AssemblerInput> inputs,
                           const MergedPtx &merged);

/// nvjitlink.cpp, ptxas.cpp
Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found);
Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found);

} // namespace kiln::ptx
