// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stack limits of host threads. Kernels on the CPU run on these stacks.
#pragma once

namespace kiln {

/// Lowest stack address at which the calling thread may still call functions; null: unknown. The reserve
/// below is for leaf calls of a kernel: exception reports and the C library. Looked up once per thread.
const void *stack_limit_of_this_thread();

} // namespace kiln
