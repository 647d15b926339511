// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <kiln/interrupt.h>

namespace kiln {

void KILN_API_VERSION::interrupt_kernels(Session &session) {
  if (session.check().ok()) launches_of(session).runtime()->executor->interrupt();
}

} // namespace kiln
