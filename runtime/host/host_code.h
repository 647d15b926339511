// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code in this process, loaded by the object linker (component jit) or from a bundle.
#pragma once

#include <kiln/abi.h>

#include <cstdint>

namespace kiln {

/// Code with one entry. The last owner frees its memory.
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
