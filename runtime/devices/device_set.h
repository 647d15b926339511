// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The devices of a session, or of a Runtime.
#pragma once

#include "cuda_backend.h"

namespace kiln {

/// Thread-safe. Devices outlive it as long as a handle holds them.
class Devices {
public:
  explicit Devices(std::shared_ptr<SessionRuntime> runtime);
  ~Devices(); ///< waits for launches that may use what the embedder frees behind the session
  Devices(const Devices &) = delete;
  Devices &operator=(const Devices &) = delete;

  /// Of this session? Error: Usage, for an empty handle too.
  Result<void> check(const Device &device) const;
  Result<void> check(const DeviceBackend *device) const;
  /// Made when it is first asked for: how many threads it has is the calling thread's arena to say.
  const std::shared_ptr<DeviceBackend> &cpu();
  CudaGpus &gpus() { return gpus_; }

private:
  const std::shared_ptr<SessionRuntime> runtime_;
  std::once_flag cpu_is_made_;
  std::shared_ptr<DeviceBackend> cpu_; ///< null: not asked for yet
  CudaGpus gpus_;
};

} // namespace kiln
