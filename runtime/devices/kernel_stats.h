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
  void compiled(const Artifact &cubin, const TargetSpec &target);
  void launched(const Artifact &cubin, const LaunchShape &shape);
  std::vector<TimingKernel> report() const; ///< by name

private:
  mutable std::mutex mutex_;
  struct Note {
    int sm = 0;
    KernelResources resources;
    TimingKernel row;
  };
  std::map<std::string, Note> notes_;
};

} // namespace kiln
