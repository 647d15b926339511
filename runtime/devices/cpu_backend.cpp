// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_backend.h"

#include "device_memory.h"
#include "outcome.h"

#include <support/count.h>
#include <support/support.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace kiln {

namespace {

constexpr DeviceApi cpu_api{.time_limits = true};
constexpr size_t alignment = 256; ///< as the CUDA allocators'

uint64_t page_bytes(int what) {
  return uint64_t(std::max(0L, ::sysconf(what))) * uint64_t(std::max(0L, ::sysconf(_SC_PAGESIZE)));
}

/// Checks that this thread may run a launch and wait for it. A host function called by a kernel may not,
/// since it may occupy the only thread that could run the launch. Error: Usage.
Result<void> check_launch(const Executor &executor) {
  if (!CallbackScope::is_inside(executor.owner())) [[likely]]
    return {};
  return usage_error("a host function in a kernel waits for a launch of its own session: launch into a "
                     "stream, and wait when the kernel has ended");
}

/// Checks that this thread may wait for streams and events. An embedder's executor thread may not while it
/// runs an item of a stream: the thread would wait for itself. Error: Usage.
Result<void> check_wait(const Executor &executor) {
  if (!CallbackScope::is_inside(executor.owner(), executor.stream_owner())) [[likely]]
    return {};
  KILN_CHECK(check_launch(executor));
  return usage_error(
      "the executor (an embedder's, or its oneTBB arena) waits for a stream or an event while it "
      "runs a launch that a stream holds: wait on another thread, or when the launch has ended");
}

/// Allocates host memory aligned for vectors. Null: out of memory.
void *allocate_host(uint64_t bytes) {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  return std::aligned_alloc(alignment,
                            (std::max<uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment);
}

/// Null for an unchecked function.
std::shared_ptr<AccessChecker> make_checker(const LoadedFunction &function,
                                            std::span<const void *const> arguments) {
  if (!function.checked) return nullptr;
  DeviceMemory memory = device_memory(*function.artifact, function.memory, arguments);
  return std::make_shared<AccessChecker>(std::move(memory.ranges), memory.has_pointers);
}

class CpuKernel final : public KernelBackend {
public:
  CpuKernel(LoadedFunction prepared, uint32_t threads)
      : KernelBackend(cpu_api), function(std::move(prepared)), threads_(threads) {
    if (function.is_first_tier) tiers_.emplace(function.code->kernel());
    for (const Artifact::Parameter &parameter : function.artifact->parameters)
      sizes.push_back(parameter.size);
  }
  Result<LaunchSuggestion> suggest(uint64_t) const override {
    // 256 threads a block: enough work for one call of a host thread, few enough to balance the load.
    constexpr uint32_t threads_of_block = 256;
    return LaunchSuggestion{.threads = threads_of_block, .blocks = threads_};
  }
  Result<GlobalVariable> global(std::string_view) const override {
    return usage_error("global variables by name are for kernels on a GPU");
  }

  void when_hot(std::function<void()> start) const override {
    if (tiers_) tiers_->when_hot(std::move(start));
  }
  bool swap_in(const KernelBackend &better) const override {
    if (!tiers_) return false;
    std::lock_guard lock(swapping_);
    if (better_) return false;
    better_ = static_cast<const CpuKernel &>(better).function.code;
    return tiers_->replace(better_->kernel());
  }
  /// The kernel's code in tiers; null: it has only optimised code.
  TieredCode *tiers() const { return tiers_ ? &*tiers_ : nullptr; }

  const LoadedFunction function;
  std::vector<uint64_t> sizes; ///< parameter sizes in bytes

private:
  const uint32_t threads_; ///< number of threads for blocks
  mutable std::optional<TieredCode> tiers_;
  mutable std::mutex swapping_;                    ///< guards the following
  mutable std::shared_ptr<const HostCode> better_; ///< code that swap_in set; null: none
};
const CpuKernel &cpu(const LoadedKernel &kernel) { return static_cast<const CpuKernel &>(*kernel.backend); }

/// Makes a launch whose arguments are still missing. Error: Usage, as Stream::launch.
Result<KernelLaunch> plan_launch(const CpuKernel &kernel, const LaunchShape &shape, size_t arguments,
                                 const LaunchOptions &options) {
  const LoadedFunction &function = kernel.function;
  const Artifact &artifact = *function.artifact;
  if (arguments != artifact.parameters.size())
    return usage_error(fmt::format(
        "{} takes {}, got {}", function_of_entry(artifact.entry),
        counted(artifact.parameters.size(), "argument that has bytes", "arguments that have bytes"),
        arguments));
  if (options.time_limit.count() < 0) return usage_error("a negative time limit");
  if (options.time_limit.count() && !function.interruptible)
    return usage_error(
        "a time limit for a kernel that was not compiled for one: set CompilerConfig::interruptible");
  KILN_CHECK(Executor::check(shape, artifact.shared_bytes));
  return KernelLaunch{.kernel = function.code->kernel(),
                      .shape = shape,
                      .arguments = {},
                      .static_shared_bytes = artifact.shared_bytes,
                      .blocks_along_y = artifact.blocks_along_y,
                      .time_limit = options.time_limit,
                      .is_interruptible = function.interruptible,
                      .stop = StopToken(options.stop),
                      .run_here = options.run_here,
                      .checker = nullptr,
                      .clock = nullptr,
                      .artifact = &artifact,
                      .tiers = kernel.tiers()};
}

class CpuEvent final : public EventBackend, public HostEvent {
public:
  explicit CpuEvent(std::shared_ptr<Executor> executor)
      : EventBackend(cpu_api), executor_(std::move(executor)) {}
  bool done() const override { return has_reached(last()); }
  void wait() const override {
    if (check_wait(*executor_).ok()) HostEvent::wait(last());
  }
  Result<std::optional<std::chrono::nanoseconds>> since(const EventBackend &event) const override {
    auto begin = static_cast<const CpuEvent &>(event).time(), end = time();
    if (!begin || !end) return std::nullopt;
    return std::chrono::duration_cast<std::chrono::nanoseconds>(*end - *begin);
  }

private:
  const std::shared_ptr<Executor> executor_; ///< reachable from its threads
};

/// Counters of buffer memory, shared by all streams of the CPU.
struct CpuMemory {
  std::atomic<uint64_t> current_bytes{0}, peak_bytes{0}, allocations{0};
};

class CpuStream final : public StreamBackend {
public:
  CpuStream(std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<CpuMemory> memory)
      : StreamBackend(cpu_api), runtime_(std::move(runtime)), memory_(std::move(memory)),
        queue_(runtime_->executor) {}
  void *native_handle() const override { return nullptr; }

  Result<void> launch(const LoadedKernel &kernel, const LaunchShape &shape,
                      std::span<const void *const> arguments, const LaunchOptions &options) override {
    const CpuKernel &k = cpu(kernel);
    KILN_TRY(KernelLaunch launch, plan_launch(k, shape, arguments.size(), options));
    if (runtime_->timer.wants_kernels()) [[unlikely]]
      launch.clock = &runtime_->clock;
    std::shared_ptr<AccessChecker> checker = make_checker(k.function, arguments);
    queue_.launch(launch, arguments, k.sizes, kernel.backend, std::move(checker));
    return {};
  }
  Result<void> launch(const GraphBackend &) override {
    return usage_error("a graph is launched in a stream of its GPU, and this one is on the CPU");
  }

  Result<void *> allocate(uint64_t bytes) override {
    void *data = allocate_host(bytes);
    if (!data)
      return machine_error(fmt::format("out of memory: {} bytes of host memory, with {} in buffers", bytes,
                                       memory_->current_bytes.load()));
    memory_->allocations++;
    uint64_t now = memory_->current_bytes += bytes, peak = memory_->peak_bytes;
    while (now > peak && !memory_->peak_bytes.compare_exchange_weak(peak, now)) {
    }
    return data;
  }
  void release(void *data, uint64_t bytes) override {
    memory_->current_bytes -= bytes;
    queue_.task([](void *memory, const void *, uint64_t) { std::free(memory); }, data, nullptr, 0);
  }
  Result<void> copy(void *to, const void *from, uint64_t bytes) override {
    queue_.task([](void *t, const void *f, uint64_t n) { std::memmove(t, f, n); }, to, from, bytes);
    return {};
  }
  Result<void> fill(void *to, uint8_t value, uint64_t bytes) override {
    // The task's `from` pointer carries the fill value instead of an address.
    queue_.task(
        [](void *t, const void *v, uint64_t n) { std::memset(t, int(reinterpret_cast<uintptr_t>(v)), n); },
        to, reinterpret_cast<const void *>(uintptr_t(value)), bytes);
    return {};
  }

  Result<void> record(Event::State &event) override {
    std::shared_ptr<CpuEvent> recorded;
    {
      std::lock_guard lock(event.mutex);
      if (!event.last || &event.last->api() != &cpu_api)
        event.last = std::make_shared<CpuEvent>(runtime_->executor);
      recorded = std::static_pointer_cast<CpuEvent>(event.last);
    }
    queue_.record(std::move(recorded));
    return {};
  }
  Result<void> wait(const Event::State &, std::shared_ptr<EventBackend> last) override {
    auto recorded = std::static_pointer_cast<CpuEvent>(std::move(last));
    if (recorded->last()) queue_.wait(std::move(recorded)); // 0: another thread is about to record this event
    return {};
  }
  bool idle() override { return queue_.idle(); }
  Result<void> synchronize() override {
    KILN_CHECK(check_wait(*runtime_->executor));
    std::optional<FailedLaunch> failed = queue_.synchronize();
    if (!failed) return {};
    KILN_CHECK(std::move(failed->status));
    return launch_result(failed->outcome, failed->checker.get(), runtime_->sources);
  }
  Result<void> capture_begin() override { return no_graphs(); }
  Result<std::shared_ptr<const GraphBackend>> capture_end() override { return no_graphs(); }

  void wait_until_idle() { queue_.wait_until_idle(); }

private:
  static Error no_graphs() { return usage_error("graphs are captured from streams of GPUs"); }

  const std::shared_ptr<SessionRuntime> runtime_;
  const std::shared_ptr<CpuMemory> memory_;
  HostStream queue_;
};

/// Streams destroyed on threads that must not wait. The list keeps each stream until it is empty.
/// Thread-safe.
class EndingStreams {
public:
  explicit EndingStreams(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}
  ~EndingStreams() {
    if (!check_wait(*executor_).ok())
      for (auto &each : streams_) (void)each.release(); // their threads still use them
  }
  EndingStreams(const EndingStreams &) = delete;
  EndingStreams &operator=(const EndingStreams &) = delete;
  /// Waits for the stream and destroys it. If this thread must not wait, keeps the stream until it is empty.
  void end(std::unique_ptr<CpuStream> stream) {
    if (check_wait(*executor_).ok() || stream->idle()) return;
    std::lock_guard lock(mutex_);
    streams_.push_back(std::move(stream));
  }
  void forget_idle() {
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto &each) { return each->idle(); });
  }
  void wait_until_idle() {
    decltype(streams_) all;
    {
      std::lock_guard lock(mutex_);
      all.swap(streams_);
    }
    all.clear(); // each destructor waits
  }

private:
  const std::shared_ptr<Executor> executor_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CpuStream>> streams_; ///< under the mutex
};

class CpuBackend final : public DeviceBackend {
public:
  explicit CpuBackend(std::shared_ptr<SessionRuntime> runtime) : DeviceBackend(cpu_api, std::move(runtime)) {
    info_ = {.number = -1,
             .name = "CPU",
             .sm = 0,
             .memory_bytes = page_bytes(_SC_PHYS_PAGES),
             .multiprocessors = this->runtime().executor->threads()};
    limits_ = Executor::limits();
  }
  std::string place() const override { return "the CPU"; }
  void *native_context() const override { return nullptr; }
  TargetSpec target() const override { return {}; }
  DeviceFacts facts() const override { return {.name = info().name}; }

  Result<void *> allocate_pinned(uint64_t bytes) override {
    if (void *data = allocate_host(bytes)) return data;
    return machine_error(fmt::format("out of memory: {} bytes of host memory", bytes));
  }
  void release_pinned(void *data) override { std::free(data); }
  MemoryCounters memory() override {
    const uint64_t current = memory_->current_bytes;
    return {.current_bytes = current,
            .peak_bytes = memory_->peak_bytes,
            .allocations = memory_->allocations,
            .reserved_bytes = current};
  }
  Result<uint64_t> free_memory() override { return page_bytes(_SC_AVPHYS_PAGES); }
  Result<void> trim(uint64_t) override { return {}; } // no memory is kept
  Result<void> set_kept_memory(uint64_t) override { return {}; }
  Result<void> check_pointer(uint64_t) override { return {}; }
  bool reaches(const dlpack::Device &memory) const override {
    enum : int32_t { Cpu = 1, CudaHost = 3, CudaManaged = 13 };
    return memory.type == Cpu || memory.type == CudaHost || memory.type == CudaManaged;
  }

  Result<void> encode(const TensorMapOptions &options, const TensorMapShape &shape,
                      uint64_t *words) override {
    encode_for_cpu(options, shape, words);
    return {};
  }

  Result<LoadedKernel> prepare(CodeSource &source) override {
    KILN_TRY(LoadedFunction function, source.host_function());
    LoadedKernel kernel{
        .artifact = function.artifact, .backend = nullptr, .memory = function.memory, .name = source.name()};
    kernel.backend = std::make_shared<CpuKernel>(std::move(function), info().multiprocessors);
    return kernel;
  }
  Result<LoadedKernel> load(std::shared_ptr<const Artifact>) override {
    return usage_error("load_kernel takes cubins and PTX, for a GPU: the CPU's code is made by prepare");
  }
  Result<void> run(const LoadedKernel &kernel, const LaunchShape &shape,
                   std::span<const void *const> arguments, const LaunchOptions &options) override {
    KILN_CHECK(check_launch(*runtime().executor));
    StageScope scope(&runtime().timer, Stage::Launch);
    const LoadedFunction &function = cpu(kernel).function;
    KILN_TRY(KernelLaunch launch, plan_launch(cpu(kernel), shape, arguments.size(), options));
    std::shared_ptr<AccessChecker> check = make_checker(function, arguments);
    // The cast is safe: compiled code does not write through these pointers.
    launch.arguments = {const_cast<void *const *>(arguments.data()), arguments.size()};
    launch.checker = check.get();
    if (runtime().timer.wants_kernels()) [[unlikely]]
      launch.clock = &runtime().clock;
    LaunchOutcome outcome;
    KILN_CHECK(runtime().executor->run(launch, outcome));
    return launch_result(outcome, check.get(), runtime().sources);
  }

  Result<std::shared_ptr<StreamBackend>> make_stream() override {
    ending_->forget_idle();
    std::shared_ptr<CpuStream> stream(
        new CpuStream(shared_runtime(), memory_),
        [ending = ending_](CpuStream *gone) { ending->end(std::unique_ptr<CpuStream>(gone)); });
    std::lock_guard lock(mutex_);
    std::erase_if(streams_, [](const auto &each) { return each.expired(); });
    streams_.push_back(stream);
    return std::shared_ptr<StreamBackend>(std::move(stream));
  }
  Result<std::shared_ptr<StreamBackend>> adopt_stream(void *) override {
    return usage_error("a CUstream or cl_command_queue belongs to a GPU, and the device is the CPU");
  }
  Result<void> synchronize() override {
    KILN_CHECK(check_wait(*runtime().executor));
    finish();
    return {};
  }
  void finish() override {
    std::vector<std::weak_ptr<CpuStream>> streams;
    {
      std::lock_guard lock(mutex_);
      streams = streams_;
    }
    for (const auto &each : streams)
      if (auto stream = each.lock()) stream->wait_until_idle();
    ending_->wait_until_idle();
  }

private:
  const std::shared_ptr<CpuMemory> memory_ = std::make_shared<CpuMemory>();
  const std::shared_ptr<EndingStreams> ending_ = std::make_shared<EndingStreams>(runtime().executor);
  std::mutex mutex_;
  /// Streams of this device; expired ones may remain; protected by the mutex.
  std::vector<std::weak_ptr<CpuStream>> streams_;
};

} // namespace

std::shared_ptr<DeviceBackend> open_cpu(std::shared_ptr<SessionRuntime> runtime) {
  return make_of_process<CpuBackend>(std::move(runtime));
}

} // namespace kiln
