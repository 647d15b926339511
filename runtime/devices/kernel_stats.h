// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the timing report tells of kernels on GPUs: what they take, and how they were launched.
#pragma once

#include <kiln/abi.h>
#include <kiln/job.h>
#include <kiln/timing.h>

#include <map>
#include <mutex>

namespace kiln {

/// Thread-safe. Kernels go by their names: one that is compiled again replaces what was known of it.
class KernelStats {
public:
  struct Origin {
    std::string job, key;    ///< TimingKernel's
    uint64_t text_bytes = 0; ///< of the PTX that the cubin was made of
    int sm = 0;              ///< that the cubin is for; 0: not known
  };
  void compiled(const Artifact &cubin, const Origin &origin);
  /// `shape`: of the launch as written. `coarse_factor`: other than 0 if it ran the coarse entry.
  void launched(const Artifact &cubin, const LaunchShape &shape, uint32_t coarse_factor = 0);
  /// A launch of it has run for so long.
  void executed(const std::string &entry, bool is_cpu, uint64_t nanoseconds);
  std::vector<TimingKernel> report() const; ///< by name
  void clear();

private:
  mutable std::mutex mutex_;
  struct Note {
    int sm = 0;
    KernelResources resources;
    TimingKernel row;
    std::vector<uint64_t> last_executions; ///< in a ring
  };
  static constexpr size_t kept_executions = 1000;
  std::map<std::string, Note> notes_;
  std::map<std::string, Note> cpu_notes_; ///< of kernels of the CPU
};

} // namespace kiln
