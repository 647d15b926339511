// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings of OpenCL drivers (docs/guide/opencl.md).
#pragma once

#include <kiln/export.h>

namespace kiln::inline KILN_API_VERSION {

/// Sets the environment variables without which Intel's runtime for CPUs computes wrong values
/// (CL_CONFIG_LLVM_OPTIONS and, on processors with AVX-512, CL_CONFIG_CPU_TARGET_ARCH). A variable that is
/// set stays as it is. Processes that this one starts inherit them. The driver reads them once, when it is
/// loaded: call the function before the process opens an OpenCL device. Otherwise opening a device of this
/// runtime is an error, for as long as the process lives. No other thread may use the environment meanwhile.
KILN_API void avoid_opencl_driver_faults();

} // namespace kiln::inline KILN_API_VERSION
