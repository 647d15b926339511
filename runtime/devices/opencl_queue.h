// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels, streams and events of OpenCL devices as backends of the public handles.
#pragma once

#include "device_backend.h"

#include <opencl/opencl.h>

namespace kiln {

inline constexpr DeviceApi opencl_api{.kind = DeviceKind::OpenCl, .own_address_space = true};

/// A kernel on an OpenCL device.
class OpenClKernelBackend final : public KernelBackend {
public:
  explicit OpenClKernelBackend(std::shared_ptr<OpenClKernel> loaded)
      : KernelBackend(opencl_api), kernel_(std::move(loaded)) {}
  Result<LaunchSuggestion> suggest(uint64_t shared_bytes) const override;
  Result<GlobalVariable> global(std::string_view name) const override;
  OpenClKernel &kernel() const { return *kernel_; }

private:
  const std::shared_ptr<OpenClKernel> kernel_;
};

std::shared_ptr<StreamBackend> opencl_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                     std::shared_ptr<OpenClStream> stream);

/// Launches a kernel in a stream. Measures the launch if the runtime's timer is on. Errors: Usage, for an
/// impossible shape or a kernel of another device; those of OpenClKernel::launch.
Result<void> launch_in(OpenClStream &stream, SessionRuntime &runtime, const LoadedKernel &kernel,
                       const LaunchShape &shape, std::span<const void *const> arguments);
/// Waits for the stream, and converts the exception of a kernel.
Result<void> wait_for(OpenClStream &stream, const SessionRuntime &runtime);

} // namespace kiln
