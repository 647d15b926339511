// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings of OpenCL drivers (docs/guide/opencl.md).
#pragma once

#include <kiln/export.h>

namespace kiln::inline KILN_API_VERSION {

/// Sets the environment variables without which Intel's runtime for CPUs computes wrong values, unless they
/// are set. Without them, opening such a device is an error. Call it at the start of main(): the driver reads
/// them when it is loaded, and no other thread may read the environment meanwhile.
KILN_API void avoid_opencl_driver_faults();

} // namespace kiln::inline KILN_API_VERSION
