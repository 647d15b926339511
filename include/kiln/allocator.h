// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's memory in place of CUDA's pools: SessionOptions::device_allocator.
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
  /// `bytes` (at least 1) of memory of the context's GPU (a CUcontext), for what is put into `stream` (a
  /// CUstream) from now on: an address that is a multiple of 256. 0: there is not so much, which is the
  /// caller's Machine error, as is an exception.
  virtual uint64_t allocate(uint64_t bytes, void *context, void *stream) = 0;
  /// Takes it back. What was put into `stream` before may still use it. An exception is caught, and told to
  /// nobody.
  virtual void release(uint64_t address, uint64_t bytes, void *context, void *stream) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
