// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_advise (layer 12): advice on slow kernels for C programs. It uses the C API and kiln/advise.h.
// Public header: kiln/c_advise.h.
//
// - advise: returns advice reports as text and as JSON
#pragma once

#include <c_api/c_api.h>
