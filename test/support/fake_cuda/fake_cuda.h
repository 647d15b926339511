// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests ask the fake CUDA driver, by dlsym: functions of these names and types.
#pragma once

#include <cstdint>

/// Handles that live.
struct FakeLiving {
  uint64_t device_blocks, pinned_blocks, contexts, streams, events, modules, graphs, pools, links;
};
/// What the next launch of a kernel with a state reports.
struct FakeException {
  uint32_t kind;
  const char *name, *location;
};
struct FakeLaunch {
  void *function, *stream;
  uint32_t blocks[3], threads[3], shared_bytes;
  uint32_t cluster[3], cooperative, programmatic;
  uint64_t parameters[8]; ///< the first 8 bytes of each, as many as fake_cuda_record_parameters says
};

extern "C" {
using fake_cuda_count_t = uint64_t(const char *);
using fake_cuda_log_t = void(int);
using fake_cuda_calls_t = const char *();
using fake_cuda_living_t = FakeLiving();
using fake_cuda_throw_t = void(const FakeException *);
using fake_cuda_record_parameters_t = void(uint64_t);
using fake_cuda_last_launch_t = FakeLaunch();
using fake_cuda_kernel_t = void(void (*)(const FakeLaunch &)); ///< runs at each launch; null: none
using fake_cuda_new_context_t = void *(int);
}
