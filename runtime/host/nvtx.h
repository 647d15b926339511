// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranges of NVTX 3, as NVIDIA's header-only library makes them: a tool that wants them (nsys) names a library
// in NVTX_INJECTION64_PATH, and that library fills in the functions that it listens to. Without a tool a
// range costs a comparison.
#pragma once

namespace kiln {

class Nvtx {
public:
  /// Loads the tool's library when a process asks first; later answers are the same. Null: there is no tool.
  /// Thread-safe.
  static const Nvtx *of_process();
  void push(const char *name) const; ///< a range of the calling thread, in the default domain
  void pop() const;
};

/// A range as long as it lives.
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
