// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's memory instead of CUDA's pools: SessionOptions::device_allocator.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln::inline KILN_API_VERSION {

/// Allocates and frees the GPU memory of Stream::allocate and Buffer. Thread-safe. Kiln calls it with the
/// GPU's context current on the calling thread, and without holding a lock of the session. So it may call the
/// session and destroy handles. CUDA itself allocates pinned host memory and the driver's memory for code.
class KILN_API DeviceAllocator {
public:
  virtual ~DeviceAllocator();
  /// Returns the address of `bytes` (at least 1) of memory of the context's GPU (a CUcontext), a multiple of
  /// 256. Work enqueued in `stream` (a CUstream) from now on may use it. 0: out of memory, which is the
  /// caller's Machine error. So is an exception.
  virtual uint64_t allocate(uint64_t bytes, void *context, void *stream) = 0;
  /// Frees it. Work already enqueued in `stream` may still use it. An exception is caught and not reported.
  virtual void release(uint64_t address, uint64_t bytes, void *context, void *stream) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
