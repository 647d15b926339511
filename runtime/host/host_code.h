// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code in this process. Component jit loads it from object files, component bundle from bundles.
#pragma once

#include <kiln/abi.h>

#include <cstdint>

namespace kiln {

/// Loaded code with one entry address. The last owner frees its memory.
class HostCode {
public:
  virtual ~HostCode() = default;
  HostCode(const HostCode &) = delete;
  HostCode &operator=(const HostCode &) = delete;
  abi::NativeKernel kernel() const { return reinterpret_cast<abi::NativeKernel>(entry_); }
  abi::NativeFunction function() const { return reinterpret_cast<abi::NativeFunction>(entry_); }
  void *entry() const { return entry_; }
  uint64_t bytes() const { return bytes_; } ///< memory use, approximately

protected:
  HostCode(void *entry, uint64_t bytes) : entry_(entry), bytes_(bytes) {}

private:
  void *const entry_;
  const uint64_t bytes_;
};

} // namespace kiln
