// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component c_advise (layer 12): advice in C, over the C API and kiln/advise.h. Public: kiln/c_advise.h.
//   advise   reports as text and JSON
#pragma once

#include <c_api/c_api.h>
