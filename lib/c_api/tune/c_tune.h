// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_tune (layer 12): the tuner for C programs. It uses the C API and kiln/tune.h. Public header:
// kiln/c_tune.h.
//
// - tune: converts a request to C++, and converts its result to C
#pragma once

#include <c_api/c_api.h>
