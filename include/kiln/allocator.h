// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface for the embedder's own allocator of GPU memory, used in place of CUDA's memory pools
// (SessionOptions::device_allocator).
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln::inline KILN_API_VERSION {

/// Allocates and frees GPU memory for Stream::allocate and Buffer. Must be thread-safe. Kiln makes the GPU's
/// context current on the calling thread before a call. Kiln holds no lock of the session during a call, so
/// the allocator may call the session and destroy handles. CUDA still allocates pinned host memory and the
/// driver's memory for code.
class KILN_API DeviceAllocator {
public:
  virtual ~DeviceAllocator();
  /// Returns the address of `bytes` bytes (at least 1) on the GPU of `context` (a CUcontext), a multiple of
  /// 256. Work submitted to `stream` (a CUstream) from now on uses it. 0 means out of memory; 0 or an
  /// exception fails the caller's allocation with a Machine error.
  virtual uint64_t allocate(uint64_t bytes, void *context, void *stream) = 0;
  /// Frees memory that allocate() returned. Work submitted to `stream` before this call may still use the
  /// memory. An exception is caught and ignored.
  virtual void release(uint64_t address, uint64_t bytes, void *context, void *stream) = 0;
};

} // namespace kiln::inline KILN_API_VERSION
