// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_programs (layer 12): programs in C, over the C API and kiln/program.h, inside
// libkiln-programs.so. Public: kiln/c_programs.h.
//   program   the functions
#pragma once

#include <c_api/c_api.h>
