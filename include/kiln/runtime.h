// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and streams without a session: for programs that launch kernels from a bundle (kiln/bundle.h) and
// compile none. The library Kiln::runtime has this without a compiler; Kiln::kiln has it together with
// sessions.
#pragma once

#include <kiln/device.h>
#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/stream.h>

#include <functional>
#include <memory>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

struct RuntimeOptions {
  /// Threads that run blocks on the CPU; 0: as oneTBB has them.
  unsigned cpu_threads = 0;
  /// Calls its argument in the embedder's oneTBB arena and returns when that has; empty: an arena of Kiln's.
  std::function<void(const std::function<void()> &)> cpu_arena = {};
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through a runtime.
consteval auto runtime_structures() {
  return std::array{KILN_STRUCTURE(RuntimeOptions), KILN_STRUCTURE(LaunchShape),
                    KILN_STRUCTURE(LaunchOptions),  KILN_STRUCTURE(Artifact),
                    KILN_STRUCTURE(GpuInfo),        KILN_STRUCTURE(DeviceLimits),
                    KILN_STRUCTURE(MemoryCounters), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Services for launches: threads that run blocks, and opened GPUs. Thread-safe. Its handles stay usable
/// after its end (kiln/device.h). Devices, streams and kernels of one Runtime or Session do not mix with
/// another's.
class KILN_API Runtime {
public:
  /// Cheap: threads start with the first launch, and the CUDA driver is opened when a GPU is requested.
  /// Error: Usage, for headers of another version.
  KILN_HEADER_INLINE static Result<std::unique_ptr<Runtime>> open(const RuntimeOptions &options = {}) {
    const auto structures = detail::runtime_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<std::unique_ptr<Runtime>> open(const RuntimeOptions &options, const ProgramHeaders &headers);
  ~Runtime(); ///< waits for the work in its CPU streams

  Device cpu();
  /// The GPUs that the driver lists; asking makes no context. Errors: Machine (no driver, no GPU).
  Result<std::vector<GpuInfo>> gpus();
  /// In its primary context. Errors: Machine.
  Result<Device> gpu(int number = 0);
  /// A GPU in the embedder's CUcontext, which must outlive all objects made for it. Errors: Machine, Usage.
  Result<Device> gpu_in_context(void *context);

  Stream stream(); ///< on the CPU
  Result<Stream> stream(const Device &device);
  /// The embedder's CUstream, which outlives the handle.
  Result<Stream> stream(const Device &device, void *cuda_stream);

  /// Launches and waits. arguments[i] points to the bytes of the i-th of the kernel's artifact().parameters.
  /// Errors: as Stream::launch and Stream::synchronize.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});

private:
  struct KILN_LOCAL State;
  KILN_LOCAL explicit Runtime(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
