// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device does, as the handles of kiln/device.h and kiln/stream.h ask for it. There is one
// implementation for the CPU (cpu_backend.cpp) and one for NVIDIA's GPUs (cuda_backend.cpp; cuda_stream.cpp
// for what is put into its streams). The handles check what is the same on all devices (empty handles, other
// sessions' kernels, null pointers, arguments) and hand on to their backend what is not. Backends outlive the
// session as long as a handle holds them, so nothing in here refers to it. All are thread-safe, but for what
// says otherwise.
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

/// Who makes a kernel's code for a device: a session compiles it, a bundle has it. Used during one call.
class CodeSource {
public:
  virtual ~CodeSource() = default;
  virtual std::string name() const = 0; ///< of the kernel, for people
  /// For the CPU, in this process. Errors: Input, Machine, Usage.
  virtual Result<LoadedFunction> host_function() = 0;
  /// For a GPU: a cubin, or PTX that its driver assembles. Errors: the same.
  virtual Result<std::shared_ptr<const Artifact>> gpu_code(const std::shared_ptr<CudaDevice> &gpu) = 0;
  /// What `load` makes of gpu_code's on this device, now or at an earlier time, with what is known of its
  /// parameters.
  virtual Result<LoadedKernel> loaded(const std::shared_ptr<const Artifact> &code,
                                      const Device::State &device,
                                      const std::function<Result<LoadedKernel>()> &load) = 0;
};

/// How a device is programmed. Kernels, streams, events and graphs of one API fit together and those of two
/// never do, which the handles compare by address; so an implementation may take what it is given for its
/// own.
struct DeviceApi {
  bool is_gpu = false;
  bool time_limits = false;     ///< takes LaunchOptions::time_limit and stop
  bool clusters = false;        ///< takes LaunchOptions::cluster
  bool read_only_loads = false; ///< profits from CompilerConfig::invariant_arguments
  /// Memory of the host may be out of its reach: DeviceBackend::check_pointer.
  bool own_address_space = false;
};

/// A kernel that is loaded.
class KernelBackend {
public:
  virtual ~KernelBackend() = default;
  const DeviceApi &api() const { return api_; }
  virtual Result<LaunchSuggestion> suggest(uint64_t shared_bytes) const = 0;
  virtual Result<GlobalVariable> global(std::string_view name) const = 0;

  /// The artifact of the code that the next launch runs; null: that of the kernel, to which nothing was ever
  /// swapped in.
  virtual const Artifact *running() const { return nullptr; }
  /// From here on launches run `better`, a kernel of this API and device that computes the same. Those that
  /// have begun go on with what they have; nobody waits. Once at most; false: it was done before.
  virtual bool swap_in(const KernelBackend & /*better*/) const { return false; }

  /// How launches tell whether they may take the kernel's coarse entry. `wanted` is called by the second that
  /// could while there is none, at most once; it must be quick. Before the kernel is handed to anybody.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): who overrides it keeps them
  virtual void plan_coarse(CoarsePlan /*plan*/, std::function<void()> /*wanted*/) const {}
  /// From here on launches that may take the coarse entry of `other`, the same kernel compiled with one. Once
  /// at most; false: there was one before, or `other` has none.
  virtual bool take_coarse(const KernelBackend & /*other*/) const { return false; }

protected:
  explicit KernelBackend(const DeviceApi &api) : api_(api) {}

private:
  const DeviceApi &api_;
};

/// An event as one device records it.
class EventBackend {
public:
  virtual ~EventBackend() = default;
  const DeviceApi &api() const { return api_; }
  virtual bool done() const = 0;
  virtual void wait() const = 0;
  /// From `begin`, of the same API, to this. Nothing: one of them has not been reached.
  virtual Result<std::optional<std::chrono::nanoseconds>> since(const EventBackend &begin) const = 0;

protected:
  explicit EventBackend(const DeviceApi &api) : api_(api) {}

private:
  const DeviceApi &api_;
};

/// What Event holds.
struct Event::State {
  const uint64_t process = process_token(); ///< that made it
  bool is_of_this_process() const { return process == process_token(); }
  mutable std::mutex mutex;
  std::shared_ptr<EventBackend> last; ///< of the device that recorded last; null: none did. Under the mutex

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
  virtual void *native_handle() const = 0; ///< CUstream; null: the CPU's

  /// The kernel is of this API, and the arguments are what it takes.
  virtual Result<void> launch(const LoadedKernel &kernel, const LaunchShape &shape,
                              std::span<const void *const> arguments, const LaunchOptions &options) = 0;
  virtual Result<void> launch(const GraphBackend &graph) = 0;
  virtual Result<void *> allocate(uint64_t bytes) = 0;
  virtual void release(void *data, uint64_t bytes) = 0; ///< of `allocate`, in the stream's order
  /// Of at least one byte, at pointers that are not null.
  virtual Result<void> copy(void *to, const void *from, uint64_t bytes) = 0;
  virtual Result<void> fill(void *to, uint8_t value, uint64_t bytes) = 0;
  virtual Result<void> record(Event::State &event) = 0;
  /// `last` is the event's last record, of this API.
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

/// What Device holds.
struct Device::State {
  virtual ~State() = default;
  State(const State &) = delete;
  State &operator=(const State &) = delete;

  const DeviceApi &api() const { return api_; }
  SessionRuntime &runtime() const { return *runtime_; }
  const std::shared_ptr<SessionRuntime> &shared_runtime() const { return runtime_; }
  const GpuInfo &info() const { return info_; }
  const DeviceLimits &limits() const { return limits_; }
  virtual std::string place() const = 0;    ///< "the CPU", "GPU 0"
  virtual void *native_context() const = 0; ///< CUcontext; null: the CPU
  virtual TargetSpec target() const = 0;    ///< what to compile for it
  virtual DeviceFacts facts() const = 0;    ///< for Target::for_device

  // ---- memory. Errors: as Device's functions
  virtual Result<void *> allocate_pinned(uint64_t bytes) = 0;
  virtual void release_pinned(void *data) = 0;
  virtual MemoryCounters memory() = 0;
  virtual Result<uint64_t> free_memory() = 0;
  virtual Result<void> trim(uint64_t keep) = 0;
  virtual Result<void> set_kept_memory(uint64_t bytes) = 0;
  /// Can kernels reach the memory at this address? Error: Usage.
  virtual Result<void> check_pointer(uint64_t address) = 0;
  virtual bool reaches(const dlpack::Device &memory) const = 0; ///< as check_pointer, by what DLPack says

  /// A tensor map of this device: 16 words, at a multiple of 64 bytes. Errors: Machine.
  virtual Result<void> encode(const TensorMapOptions &options, const TensorMapShape &shape,
                              uint64_t *words) = 0;

  // ---- kernels
  /// A kernel whose code is for this device, loaded. Errors: Input, Machine, Usage while this thread captures
  /// a graph.
  virtual Result<LoadedKernel> prepare(CodeSource &source) = 0;
  /// Code that was made elsewhere, without its parameters' types. Errors: as Session::load_kernel.
  virtual Result<LoadedKernel> load(std::shared_ptr<const Artifact> artifact) = 0;
  /// Launches and waits. The kernel is of this device's API, and the arguments are what it takes.
  virtual Result<void> run(const LoadedKernel &kernel, const LaunchShape &shape,
                           std::span<const void *const> arguments, const LaunchOptions &options) = 0;

  // ---- streams
  virtual Result<std::shared_ptr<StreamBackend>> make_stream() = 0;
  virtual Result<std::shared_ptr<StreamBackend>> adopt_stream(void *native) = 0; ///< of the embedder's
  virtual Result<void> synchronize() = 0;
  /// The session goes: waits for launches that may use what the embedder frees behind it.
  virtual void finish() = 0;

protected:
  State(const DeviceApi &api, std::shared_ptr<SessionRuntime> runtime)
      : api_(api), runtime_(std::move(runtime)) {}
  GpuInfo info_{}; ///< set by the constructors
  DeviceLimits limits_{};

private:
  const DeviceApi &api_;
  const std::shared_ptr<SessionRuntime> runtime_;
};

/// What Kiln's own components see behind a device's handle.
struct DeviceAccess {
  static const std::shared_ptr<Device::State> &state(const Device &device) { return device.state_; }
};
inline const std::shared_ptr<Device::State> &state_of(const Device &device) {
  return DeviceAccess::state(device);
}
using DeviceBackend = Device::State;

/// What the device cannot do. Error: Usage.
Result<void> check_options(const LaunchOptions &options, const DeviceBackend &device);

} // namespace kiln
