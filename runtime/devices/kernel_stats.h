// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statistics of kernels for the timing report: resources and launches.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/timing.h>

#include <map>
#include <mutex>

namespace kiln {

/// Statistics by kernel name. A recompiled kernel replaces the earlier entry. Thread-safe.
class KernelStats {
public:
  struct Origin {
    std::string job, key;    ///< as in TimingKernel
    uint64_t text_bytes = 0; ///< size of the PTX source
    int sm = 0;              ///< compute capability of the cubin, as 90 for sm_90; 0: unknown
  };
  void compiled(const Artifact &cubin, const Origin &origin);
  /// Counts a launch. `shape`: shape of the original launch. `coarse_factor`: elements per thread of the
  /// coarse entry that ran; 0: the original kernel ran.
  void launched(const Artifact &cubin, const LaunchShape &shape, uint32_t coarse_factor = 0);
  /// Records the duration of one run of the kernel.
  void executed(const std::string &entry, bool is_cpu, uint64_t nanoseconds);
  std::vector<TimingKernel> report() const; ///< sorted by name
  void clear();

private:
  mutable std::mutex mutex_;
  struct Note {
    int sm = 0;
    KernelResources resources;
    TimingKernel row;
    std::vector<uint64_t> last_executions; ///< ring buffer
  };
  static constexpr size_t kept_executions = 1000;
  std::map<std::string, Note> notes_;
  std::map<std::string, Note> cpu_notes_; ///< kernels on the CPU
};

} // namespace kiln
