// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack limits of host threads, which run kernels.
#pragma once

namespace kiln {

/// Lowest address at which the calling thread may still call functions; null: unknown. The reserve below it
/// is for leaf calls of a kernel: exception reports and the C library. Looked up once per thread.
const void *stack_limit_of_this_thread();

} // namespace kiln
