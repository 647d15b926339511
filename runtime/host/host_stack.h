// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much stack a host thread has: kernels run on it.
#pragma once

namespace kiln {

/// A function that has its frame below this, on the calling thread, must not call deeper; null where it is
/// not known. Component is left below for what a kernel calls last: the report of an exception, the C
/// library. Looked up once a thread.
const void *stack_limit_of_this_thread();

} // namespace kiln
