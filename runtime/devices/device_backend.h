// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device interface behind the handles of kiln/device.h and kiln/stream.h. Implementations: the CPU
// (cpu_backend.cpp), NVIDIA GPUs (cuda_backend.cpp; cuda_stream.cpp for their streams), OpenCL devices
// (opencl_backend.cpp, opencl_queue.cpp). The handles check what all devices share (empty handles, kernels of
// other sessions, null pointers, arguments) and call their backend for the rest. Backends do not refer to the
// session, since handles may keep a backend longer than the session. All functions are thread-safe unless
// noted.
#pragma once

#include "coarse_plan.h"
#include "loaded.h"
#include "runtime.h"
#include "tensor_map.h"

#include <kiln/foreign.h>
#include <kiln/stream.h>

#include <functional>
#include <mutex>
#include <optional>

namespace kiln {

/// Source of a kernel's code for a device: a session compiles the code, a bundle reads it from a file.
/// Backends use the object only during one call.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  virtual std::string name() const = 0; ///< kernel name for messages
  /// Code for the CPU, loaded in this process. Errors: Input, Machine, Usage.
  virtual Result<LoadedFunction> host_function() = 0;
  /// Code for a GPU: a cubin, or PTX for the driver's assembler. Errors: Input, Machine, Usage.
  virtual Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) = 0;
  /// Code as an object that the driver of a device loads: SPIR-V. Errors: Input, Machine, Usage.
  virtual Result<std::shared_ptr<const Artifact>> object_code(const DeviceFacts &device) = 0;
  /// Returns the kernel loaded from `code` on this device, with its parameters' types. Calls `load` only if
  /// no earlier result exists.
  virtual Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &code,
                                      const Device::State &device,
                                      const std::function<Result<LoadedKernel>()> &load) = 0;
};

/// Properties of a device API. Kernels, streams, events and graphs work together only within one API. The
/// handles compare APIs by address, so an implementation may cast the objects that it receives.
struct DeviceApi {
  DeviceKind kind = DeviceKind::Cpu;
  bool is_gpu() const { return kind != DeviceKind::Cpu; } ///< not the CPU device
  bool time_limits = false;                               ///< supports LaunchOptions::time_limit and stop
  bool clusters = false;                                  ///< supports LaunchOptions::cluster
  bool read_only_loads = false; ///< profits from CompilerConfig::invariant_arguments
  /// True if kernels may be unable to access host memory: see DeviceBackend::check_pointer.
  bool own_address_space = false;
};

/// A loaded kernel.
class KernelBackend {
public:
  virtual ~KernelBackend() = default;
  const DeviceApi &api() const { return api_; }
  virtual Result<LaunchSuggestion> suggest(uint64_t shared_bytes) const = 0;
  virtual Result<GlobalVariable> global(std::string_view name) const = 0;

  /// Artifact that the next launch runs. Null: no kernel was swapped in, so the original runs.
  virtual const Artifact *running() const { return nullptr; }
  /// Lets later launches run `better`, an equivalent kernel of this API and device. Does not wait; running
  /// launches finish with their code. Returns false if a kernel was swapped in before.
  virtual bool swap_in(const KernelBackend & /*better*/) const { return false; }
  /// Sets the callback that starts making optimised code, for a kernel that began with code of the first tier
  /// (LoadedFunction::is_first_tier). A launch calls it once, when the kernel is hot; it must be quick. Call
  /// this before other threads see the kernel.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): overriders keep the argument
  virtual void when_hot(std::function<void()> /*start*/) const {}

  /// Sets the plan by which launches choose the coarse entry (coarse_plan.h). The second launch that lacks
  /// the entry calls `wanted` once; the callback must be quick. Call this before other threads see the
  /// kernel.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): overriders keep the arguments
  virtual void plan_coarse(CoarsePlan /*plan*/, std::function<void()> /*wanted*/) const {}
  /// Lets later launches use the coarse entry of `other`, the same kernel compiled with such an entry.
  /// Returns false if this kernel already has a coarse entry, or `other` has none.
  virtual bool take_coarse(const KernelBackend & /*other*/) const { return false; }

protected:
  explicit KernelBackend(const DeviceApi &api) : api_(api) {}

private:
  const DeviceApi &api_;
};

/// The record of an event on one device, behind the public Event.
class EventBackend {
public:
  virtual ~EventBackend() = default;
  const DeviceApi &api() const { return api_; }
  virtual bool done() const = 0;
  virtual void wait() const = 0;
  /// Time from `begin`, an event of the same API, to this event. No value: the device has not reached one of
  /// the two.
  virtual Result<std::optional<std::chrono::nanoseconds>> since(const EventBackend &begin) const = 0;

protected:
  explicit EventBackend(const DeviceApi &api) : api_(api) {}

private:
  const DeviceApi &api_;
};

/// State of an Event handle.
struct Event::State {
  const uint64_t process = process_token(); ///< process that made it
  bool is_of_this_process() const { return process == process_token(); }
  mutable std::mutex mutex;
  /// Last record, with its device; null: never recorded; protected by the mutex.
  std::shared_ptr<EventBackend> last;

  std::shared_ptr<EventBackend> last_record() const {
    std::lock_guard lock(mutex);
    return last;
  }
};

/// A captured graph.
class GraphBackend {
public:
  virtual ~GraphBackend() = default;
};

class StreamBackend {
public:
  virtual ~StreamBackend() = default;
  const DeviceApi &api() const { return api_; }
  virtual void *native_handle() const = 0; ///< CUstream, cl_command_queue; null: the CPU

  /// Enqueues a kernel of this API. `arguments` must match the kernel's parameters.
  virtual Result<void> launch(const LoadedKernel &kernel, const LaunchShape &shape,
                              std::span<const void *const> arguments, const LaunchOptions &options) = 0;
  virtual Result<void> launch(const GraphBackend &graph) = 0;
  virtual Result<void *> allocate(uint64_t bytes) = 0;
  /// Frees memory of allocate() after earlier work of the stream.
  virtual void release(void *data, uint64_t bytes) = 0;
  /// Copies at least one byte; pointers are not null.
  virtual Result<void> copy(void *to, const void *from, uint64_t bytes) = 0;
  virtual Result<void> fill(void *to, uint8_t value, uint64_t bytes) = 0;
  virtual Result<void> record(Event::State &event) = 0;
  /// Lets the stream wait for `last`, the event's last record. The record must belong to this API.
  virtual Result<void> wait(const Event::State &event, std::shared_ptr<EventBackend> last) = 0;
  virtual bool idle() = 0;
  virtual Result<void> synchronize() = 0;
  virtual Result<void> capture_begin() = 0;
  virtual Result<std::shared_ptr<const GraphBackend>> capture_end() = 0;

protected:
  explicit StreamBackend(const DeviceApi &api) : api_(api) {}

private:
  const DeviceApi &api_;
};

/// State of a Device handle.
struct Device::State {
  virtual ~State() = default;
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  const DeviceApi &api() const { return api_; }
  SessionRuntime &runtime() const { return *runtime_; }
  const std::shared_ptr<SessionRuntime> &shared_runtime() const { return runtime_; }
  const GpuInfo &info() const { return info_; }
  const DeviceLimits &limits() const { return limits_; }
  virtual std::string place() const = 0;    ///< "the CPU", "GPU 0", "OpenCL device 0"
  virtual void *native_context() const = 0; ///< CUcontext, cl_context; null: the CPU
  virtual TargetSpec target() const = 0;    ///< compilation target for code on this device
  virtual DeviceFacts facts() const = 0;    ///< for Target::for_device

  // ---- memory. Errors: those of the same functions of Device
  virtual Result<void *> allocate_pinned(uint64_t bytes) = 0;
  virtual void release_pinned(void *data) = 0;
  virtual MemoryCounters memory() = 0;
  virtual Result<uint64_t> free_memory() = 0;
  virtual Result<void> trim(uint64_t keep) = 0;
  virtual Result<void> set_kept_memory(uint64_t bytes) = 0;
  /// Checks that kernels can reach this address. Error: Usage.
  virtual Result<void> check_pointer(uint64_t address) = 0;
  /// Checks a DLPack device as check_pointer() does an address.
  virtual bool reaches(const dlpack::Device &memory) const = 0;

  /// Encodes a tensor map of this device into 16 words at a multiple of 64 bytes. Errors: Machine.
  virtual Result<void> encode(const TensorMapOptions &options, const TensorMapShape &shape,
                              uint64_t *words) = 0;

  // ---- kernels
  /// Loads a kernel whose code is for this device. Errors: Input, Machine, Usage while this thread captures a
  /// graph.
  virtual Result<LoadedKernel> prepare(CodeSource &source) = 0;
  /// Loads foreign code without its parameters' types. Errors: those of Session::load_kernel.
  virtual Result<LoadedKernel> load(std::shared_ptr<const Artifact> artifact) = 0;
  /// Launches and waits. The kernel must be of this device's API, and `arguments` must match it.
  virtual Result<void> run(const LoadedKernel &kernel, const LaunchShape &shape,
                           std::span<const void *const> arguments, const LaunchOptions &options) = 0;

  // ---- streams
  virtual Result<std::shared_ptr<StreamBackend>> make_stream() = 0;
  virtual Result<std::shared_ptr<StreamBackend>> adopt_stream(void *native) = 0; ///< a stream of the embedder
  virtual Result<void> synchronize() = 0;
  /// Called when the session ends. Waits for launches that may use memory that the embedder frees afterwards.
  virtual void finish() = 0;

protected:
  State(const DeviceApi &api, std::shared_ptr<SessionRuntime> runtime)
      : api_(api), runtime_(std::move(runtime)) {}
  GpuInfo info_{}; ///< set by constructors
  DeviceLimits limits_{};

private:
  const DeviceApi &api_;
  const std::shared_ptr<SessionRuntime> runtime_;
};

/// Internal access to a device handle's state.
struct DeviceAccess {
  static const std::shared_ptr<Device::State> &state(const Device &device) { return device.state_; }
};
inline const std::shared_ptr<Device::State> &state_of(const Device &device) {
  return DeviceAccess::state(device);
}
using DeviceBackend = Device::State;

/// Checks that the device supports the options. Error: Usage.
Result<void> check_options(const LaunchOptions &options, const DeviceBackend &device);

} // namespace kiln
