// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_api (layer 10): kiln/c.h over the public C++ API, and over nothing else of Kiln. Public:
// kiln/c.h.
//   handles    what C holds: numbers that are checked before anything is reached through them
//   call       what every function shares: statuses, exceptions, structures of other sizes
//   arguments  kiln_argument to Argument
//   session, compile, launch, device, stream, report   the functions, by subject
#pragma once

#include "call.h"
