// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_base (layer 8): the part of the C API without a session, based only on the public C++ API.
// Public: kiln/runtime_c.h, kiln/c_device.h, and the functions of kiln/c.h that the first names.
//   handles    handles for C: numbers that are checked before an object is accessed
//   call       shared by all functions: statuses, exceptions, structures of other versions
//   arguments  kiln_argument to Argument
//   error, device, stream, kernel, bundle, runtime, c_device   the functions, by subject
#pragma once

#include "call.h"
