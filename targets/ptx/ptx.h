// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component ptx (layer 7): the target for NVIDIA GPUs, whose output is PTX text.
//   architectures  checks of the sm and PTX ISA options
//   ptx_target     class Target
//   devices        specs for a GPU and for another architecture
//   kernel         calling convention and launch bounds
//   coarsen        second entries of kernels, whose threads process several elements
//   invariant      marks loads of read-only arguments
//   libdevice      NVIDIA's math library, kept in the worker
//   cuda_toolkit   places of the toolkit, libdevice and ptxas
//   assembler      PTX to cubin: finds and runs the tool
//   nvjitlink        NVIDIA's linker in this process
//   ptxas            the toolkit's programs as processes: its assembler, its disassembler
//   merge_texts      several kernels' texts as one, which costs less to assemble
//   assembler_log    logs of the assemblers: resources and errors
//   markers        what common rewrites leave to targets: indices, the end of a thread
//   reflect        replaces __nvvm_reflect by constants
//   equal_throws   merges blocks that throw the same exception
//   inline_throws  inlines the function that reports exceptions
//   fast_ops       approximations of single operations under @fastmath
//   file_stamps    fixed timestamps of source files
//   renumber       renumbers call sites, which LLVM numbers process-wide
//   variable_places removes register locations of variables, which ptxas miscompiles
//   wide_shifts    keeps the guards of shifts by 64-bit amounts
#pragma once

#include "assembler_log.h"
#include "cuda_toolkit.h"
#include "merge_texts.h"

#include <job/job.h>

namespace kiln {

const Target &ptx_target();

/// Prefix of the names of allocas that come from libdevice. In optimised IR, nothing else distinguishes them
/// from allocas of a program.
inline constexpr std::string_view libdevice_alloca = "libdevice.";

/// Disassembles a cubin to SASS text with nvdisasm or cuobjdump. Error: Machine if both programs are missing,
/// or if the used one fails.
Result<std::string> disassemble_cubin(std::string_view cubin);

} // namespace kiln
