// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_base (layer 8): what of the C API needs no session, over the public C++ API and nothing else of
// Kiln. Public: kiln/runtime_c.h, kiln/c_device.h, and the functions of kiln/c.h that the first names.
//   handles    what C holds: numbers that are checked before anything is reached through them
//   call       what every function shares: statuses, exceptions, structures of other sizes
//   arguments  kiln_argument to Argument
//   error, device, stream, kernel, bundle, runtime, c_device   the functions, by subject
#pragma once

#include "call.h"
