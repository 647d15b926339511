// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices and streams without a session, for programs that launch kernels of a bundle (kiln/bundle.h) and
// compile nothing. The CMake target Kiln::runtime provides this header without a compiler; Kiln::kiln
// provides it too.
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
  /// Threads that run blocks on the CPU; 0: oneTBB's default number.
  unsigned cpu_threads = 0;
  /// Calls its argument in the embedder's oneTBB arena and returns after the argument has returned. Empty:
  /// Kiln makes its own arena.
  std::function<void(const std::function<void()> &)> cpu_arena = {};
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through this header. The library compares them
/// to detect headers of another version.
consteval auto runtime_structures() {
  return std::array{KILN_STRUCTURE(RuntimeOptions), KILN_STRUCTURE(LaunchShape),
                    KILN_STRUCTURE(LaunchOptions),  KILN_STRUCTURE(Artifact),
                    KILN_STRUCTURE(GpuInfo),        KILN_STRUCTURE(DeviceLimits),
                    KILN_STRUCTURE(MemoryCounters), KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Services for launches: threads that run blocks, and open GPUs. Thread-safe. Devices, streams and kernels
/// stay usable after the Runtime is destroyed (kiln/device.h). They cannot be combined with those of another
/// Runtime or Session.
class KILN_API Runtime {
public:
  /// Opens a runtime. Cheap: threads start with the first launch, and the CUDA driver is loaded when a GPU is
  /// first requested. Error: Usage, for headers of another version.
  KILN_HEADER_INLINE static Result<std::unique_ptr<Runtime>> open(const RuntimeOptions &options = {}) {
    const auto structures = detail::runtime_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<std::unique_ptr<Runtime>> open(const RuntimeOptions &options, const ProgramHeaders &headers);
  ~Runtime(); ///< waits for the work in its CPU streams

  Device cpu();
  /// Returns the GPUs that the driver lists; creates no CUDA context. Errors: Machine (no driver, no GPU).
  Result<std::vector<GpuInfo>> gpus();
  /// Opens a GPU in its primary context. Errors: Machine.
  Result<Device> gpu(int number = 0);
  /// Opens the device of a name, such as "cpu", "cuda:1" or "opencl" (kiln/device_name.h). Errors: Usage,
  /// Machine.
  Result<Device> device(std::string_view name);
  /// Lists the devices of a kind; for OpenCL those that accept SPIR-V. Error: Machine (no driver, no device).
  Result<std::vector<GpuInfo>> devices(DeviceKind kind);
  /// Opens the GPU of the embedder's CUcontext, which must outlive all handles made for it. Errors: Machine,
  /// Usage.
  Result<Device> gpu_in_context(void *context);

  Stream stream(); ///< on the CPU
  Result<Stream> stream(const Device &device);
  /// Wraps the embedder's CUstream, or in-order cl_command_queue of Device::native_context. It must outlive
  /// the handle.
  Result<Stream> stream(const Device &device, void *native_stream);

  /// Launches a kernel and waits. arguments[i] points to the bytes of the i-th parameter of
  /// kernel.artifact(). Errors: those of Stream::launch and Stream::synchronize.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});

private:
  struct KILN_LOCAL State;
  KILN_LOCAL explicit Runtime(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
