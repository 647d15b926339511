// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor memory of a block on the CPU (PTX ISA 9.0, "Tensor Memory"). Compiled code sets the allocation bits
// and accesses the lanes itself (runtime/library/device/tensor_memory.jl). Each block starts without
// allocated columns.
#pragma once

#include <kiln/abi.h>

namespace kiln {

struct TensorMemory {
  uint32_t used;   ///< bit u is set: columns 32u to 32u + 31 are allocated
  uint32_t firsts; ///< bit u is set: an allocation begins at column 32u
  uint32_t closed; ///< other than 0: the block must not allocate tensor memory any more
  uint32_t unused[13];
  uint32_t lanes[128][512];
};
static_assert(offsetof(TensorMemory, lanes) == 64);

/// Returns the tensor memory for the running thread's block. Null in a plain function.
extern "C" TensorMemory *kiln_native_tensor_memory(abi::NativeThread *thread);

} // namespace kiln
