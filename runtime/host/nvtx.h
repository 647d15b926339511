// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX 3 ranges, compatible with NVIDIA's header-only library. A tool such as nsys names its library in
// NVTX_INJECTION64_PATH. That library sets the NVTX functions that the tool needs. Without a tool a range
// costs one comparison.
#pragma once

namespace kiln {

class Nvtx {
public:
  /// Returns the NVTX functions of this process. Loads the tool's library at the first call. Null: no tool.
  /// Thread-safe.
  static const Nvtx *of_process();
  void push(const char *name) const; ///< opens a range of the calling thread, in NVTX's default domain
  void pop() const;
};

/// An NVTX range that is open while this object lives.
class NvtxRange {
public:
  NvtxRange(const Nvtx *nvtx, const char *name) : nvtx_(nvtx) {
    if (nvtx_) nvtx_->push(name);
  }
  ~NvtxRange() {
    if (nvtx_) nvtx_->pop();
  }
  NvtxRange(const NvtxRange &) = delete;
  NvtxRange &operator=(const NvtxRange &) = delete;

private:
  const Nvtx *const nvtx_;
};

} // namespace kiln
