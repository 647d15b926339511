// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component opencl (layer 5): OpenCL devices that accept SPIR-V. The driver is opened at run time.
//   opencl_driver   the loaded library, its functions (opencl_functions.def) and errors (opencl_errors.def)
//   opencl_facts    properties of a device
//   opencl_device   a device in a context; opencl_memory: its memory
//   opencl_program  programs made of SPIR-V, and their kernels
//   opencl_stream   command queues and events
//   spirv_module    needs of a SPIR-V module
#pragma once

#include "opencl_stream.h"
#include "spirv_module.h"
