// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_tune (layer 12): the tuner in C, over the C API and kiln/tune.h. Public: kiln/c_tune.h.
//   tune   converts a request to C++, and the result back
#pragma once

#include <c_api/c_api.h>
