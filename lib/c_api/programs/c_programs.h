// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_programs (layer 12): kiln/program.h for C programs. It uses the C API, and is part of
// libkiln-programs.so. Public header: kiln/c_programs.h.
//
// - program: implements the functions of the header
#pragma once

#include <c_api/c_api.h>
