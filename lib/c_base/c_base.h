// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_base (layer 8): the part of the C API that needs no session, based on the public C++ API alone.
// Public: kiln/runtime_c.h, kiln/c_device.h, and those functions of kiln/c.h that kiln/runtime_c.h names.
//
// - handles: handles for C, which are checked before an object is accessed
// - call: helpers of all API functions: statuses, exceptions, structures of older versions
// - arguments: converts kiln_argument to Argument
// - error, device, stream, kernel, bundle, runtime, c_device: functions of the API, a file for each subject
#pragma once

#include "call.h"
