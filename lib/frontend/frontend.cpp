// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend.h"

namespace kiln {

Frontend::~Frontend() = default;

} // namespace kiln
