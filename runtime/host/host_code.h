// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code in this process, whoever has put it there: a linker of objects (component jit) or a bundle.
#pragma once

#include <kiln/abi.h>

#include <cstdint>

namespace kiln {

/// Code with one entry. Its memory goes with the last owner.
class HostCode {
public:
  virtual ~HostCode() = default;
  HostCode(const HostCode &) = delete;
  HostCode &operator=(const HostCode &) = delete;
  abi::NativeKernel kernel() const { return reinterpret_cast<abi::NativeKernel>(entry_); }
  abi::NativeFunction function() const { return reinterpret_cast<abi::NativeFunction>(entry_); }
  void *entry() const { return entry_; }
  uint64_t bytes() const { return bytes_; } ///< of memory that it takes, about

protected:
  HostCode(void *entry, uint64_t bytes) : entry_(entry), bytes_(bytes) {}

private:
  void *const entry_;
  const uint64_t bytes_;
};

} // namespace kiln
