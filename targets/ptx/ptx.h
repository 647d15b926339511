// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component ptx (layer 7): NVIDIA GPUs, as PTX text.
//   architectures  which sm and PTX ISA there are, and which sm needs which ISA
//   ptx_target     the Target
//   devices        specs for a GPU, and for another architecture
//   kernel         calling convention and launch bounds
//   cluster        the shape of its clusters
//   invariant      loads of arguments that it only reads
//   libdevice      NVIDIA's math library, resident in the worker
//   cuda_toolkit   where toolkit, libdevice and ptxas are
//   assembler      PTX to cubin: which tool there is
//   nvjitlink        NVIDIA's linker in this process
//   ptxas            the toolkit's programs as processes: its assembler, its disassembler
//   merge_texts      texts of several kernels as one, which costs less to assemble
//   assembler_log    what they say: resources and errors
//   reflect        __nvvm_reflect
//   equal_throws   blocks that throw the same become one
//   fast_ops       single operations under @fastmath
//   file_stamps    timestamps of source files, which are not the cubin's business
//   renumber       LLVM's process-wide call-site numbers
//   variable_places removes register locations of variables, which ptxas miscompiles
//   wide_shifts    guards of shifts by 64-bit amounts
#pragma once

#include "assembler_log.h"
#include "cuda_toolkit.h"
#include "merge_texts.h"

#include <job/job.h>

namespace kiln {

const Target &ptx_target();

/// Begins the names of allocas that came from NVIDIA's math library: in optimised IR nothing else tells them
/// from a program's own.
inline constexpr std::string_view libdevice_alloca = "libdevice.";

/// SASS as text, by nvdisasm or cuobjdump. Error: Machine where neither is there, or it fails.
Result<std::string> disassemble_cubin(std::string_view cubin);

} // namespace kiln
