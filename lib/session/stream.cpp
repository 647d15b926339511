// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/stream.h: handles of kernels, events and graphs, and streams of all devices with errors as the
// language's user reads them.
#include "stream.h"

#include <cstdlib>
#include <cstring>

namespace kiln {

namespace {

Error empty_stream() { return usage_error("an empty handle of a stream: Session::stream makes them"); }
Error empty_kernel() { return usage_error("an empty handle of a kernel: Session::prepare makes them"); }
Error empty_event() { return usage_error("an event that was moved from: make another one"); }
uint64_t address_of(const void *pointer) { return uint64_t(reinterpret_cast<uintptr_t>(pointer)); }

} // namespace

Result<void> check_options(const LaunchOptions &options, bool on_gpu) {
  if (on_gpu && options.time_limit.count())
    return usage_error("a time limit is for the CPU: a GPU's kernels cannot be interrupted");
  const auto &[x, y, z] = options.cluster;
  if (!on_gpu && (x || y || z)) return usage_error("clusters of blocks are for GPUs from sm_90 on");
  if (bool(x) != bool(y) || bool(x) != bool(z))
    return usage_error(fmt::format(
        "a cluster of {}x{}x{} blocks: every dimension must be at least 1, or all of them 0 for none", x, y,
        z));
  return {};
}

// ---- kernels

const Artifact &Kernel::artifact() const {
  static const Artifact none{};
  return state_ ? *state_->artifact : none;
}
Device Kernel::device() const { return state_ ? Device(state_->device) : Device(); }

Result<LaunchSuggestion> Kernel::suggest(uint64_t shared_bytes) const {
  if (!state_) return empty_kernel();
  if (!state_->gpu) {
    // Blocks that one host thread runs at a time: large enough to be worth a call, small enough to share out.
    constexpr uint32_t threads = 256;
    return LaunchSuggestion{.threads = threads, .blocks = state_->device->info.multiprocessors};
  }
  KILN_TRY(CudaKernel::Suggestion s, state_->gpu->suggest(shared_bytes));
  return LaunchSuggestion{.threads = uint32_t(s.threads), .blocks = uint32_t(s.blocks)};
}

Result<GlobalVariable> Kernel::global(std::string_view name) const {
  if (!state_) return empty_kernel();
  if (!state_->gpu) return usage_error("global variables by name are for kernels on a GPU");
  KILN_TRY(auto found, state_->gpu->global(std::string(name)));
  return GlobalVariable{.address = reinterpret_cast<void *>(uintptr_t(found.first)), .bytes = found.second};
}

// ---- events

Event::Event() : state_(std::make_shared<State>()) {}

bool Event::done() const {
  if (!state_) return true;
  if (auto gpu = state_->on_gpu()) return gpu->event->done();
  return state_->has_reached(state_->last());
}

void Event::wait() const {
  if (!state_) return;
  if (auto gpu = state_->on_gpu())
    gpu->event->wait();
  else
    state_->HostEvent::wait(state_->last());
}

Result<std::chrono::nanoseconds> Event::between(const Event &from, const Event &to) {
  if (!from.state_ || !to.state_) return empty_event();
  auto gpu_from = from.state_->on_gpu(), gpu_to = to.state_->on_gpu();
  if (gpu_from && gpu_to) {
    KILN_TRY(auto milliseconds, CudaEvent::milliseconds_between(*gpu_from->event, *gpu_to->event));
    if (!milliseconds) return usage_error("one of the events has not been reached: wait for it");
    return std::chrono::nanoseconds(int64_t(double(*milliseconds) * 1e6));
  }
  if (gpu_from || gpu_to) {
    const State &host = gpu_from ? *to.state_ : *from.state_;
    if (host.last())
      return usage_error("the two events are of different devices: their clocks have nothing in common");
    return usage_error(fmt::format("the {} event has not been reached: record it in a stream and wait for it",
                                   gpu_from ? "second" : "first"));
  }
  auto begin = from.state_->time(), end = to.state_->time();
  if (!begin || !end)
    return usage_error(fmt::format("the {} event has not been reached: record it in a stream and wait for it",
                                   begin ? "second" : "first"));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(*end - *begin);
}

// ---- graphs

Graph::Graph() = default;
Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&) noexcept = default;
Graph::~Graph() = default;

// ---- streams

Stream::Stream() = default;
Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stream::Stream(Stream &&) noexcept = default;
Stream &Stream::operator=(Stream &&other) noexcept {
  if (this != &other) {
    Stream old(std::move(*this)); // waits for what is in it
    state_ = std::move(other.state_);
  }
  return *this;
}
Stream::~Stream() {
  // Buffers may keep the queue itself.
  if (state_ && state_->queue) (void)state_->queue->synchronize();
  if (state_ && state_->gpu) (void)state_->gpu->synchronize();
}

Device Stream::device() const { return state_ ? Device(state_->device) : Device(); }
void *Stream::native_handle() const { return state_ && state_->gpu ? state_->gpu->handle() : nullptr; }

Result<void> Stream::launch(const Kernel &kernel, const LaunchShape &shape,
                            std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!state_) [[unlikely]]
    return empty_stream();
  if (!kernel) [[unlikely]]
    return empty_kernel();
  const Kernel::State &k = *kernel.state_;
  SessionRuntime &runtime = *state_->device->runtime;
  if (k.device->runtime.get() != &runtime) [[unlikely]]
    return usage_error(fmt::format(
        "{} was prepared by another session than the stream's: prepare it in that one", k.artifact->entry));
  if (state_->gpu && k.gpu) [[likely]] {
    KILN_CHECK(check_options(options, true));
    KILN_CHECK(check_arguments(k.artifact->entry, *k.artifact, k.memory, arguments));
    if (runtime.timer.enabled()) [[unlikely]]
      runtime.kernels.launched(k.gpu->artifact(), shape);
    return state_->gpu->launch(k.gpu, cuda_launch(shape, options), arguments);
  }
  if (state_->gpu || k.gpu)
    return usage_error(fmt::format("{} was prepared for {}, and the stream is on {}: prepare it for that one",
                                   k.artifact->entry, k.device->info.name, state_->device->info.name));
  KILN_CHECK(check_options(options, false));
  KILN_CHECK(check_arguments(k.artifact->entry, *k.artifact, k.memory, arguments));
  KILN_TRY(KernelLaunch launch, plan_launch(k.prepared, shape, arguments.size(), options));
  std::shared_ptr<AccessChecker> checker = make_checker(k.prepared, arguments);
  state_->queue->launch(launch, arguments, k.sizes, kernel.state_, std::move(checker));
  return {};
}

Result<void> Stream::launch(const Graph &graph) {
  if (!state_) return empty_stream();
  if (!graph) return usage_error("a launch of an empty graph: Stream::capture_end makes them");
  if (!state_->gpu)
    return usage_error("a graph is launched in a stream of its GPU, and this one is on the CPU");
  return state_->gpu->launch(graph.state_->graph);
}

Result<Buffer> Stream::allocate(uint64_t bytes) {
  if (!state_) return empty_stream();
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.owner_.reset(
      new Buffer::Owner{.device = state_->device, .gpu = state_->gpu, .queue = state_->queue});
  if (state_->gpu) {
    KILN_TRY(uint64_t address, state_->gpu->allocate(bytes));
    buffer.data_ = reinterpret_cast<void *>(uintptr_t(address));
    return buffer;
  }
  Device::State &cpu = *state_->device;
  if (!(buffer.data_ = allocate_host(bytes)))
    return machine_error(
        fmt::format("out of memory: {} bytes of host memory, with {} in this session's buffers", bytes,
                    cpu.current_bytes.load()));
  cpu.allocations++;
  uint64_t now = cpu.current_bytes += bytes, peak = cpu.peak_bytes;
  while (now > peak && !cpu.peak_bytes.compare_exchange_weak(peak, now)) {
  }
  return buffer;
}

Result<void> Stream::copy(void *to, const void *from, uint64_t bytes) {
  if (!state_) return empty_stream();
  if (bytes && (!to || !from))
    return usage_error(fmt::format("a copy of {} bytes {} a null pointer", bytes, to ? "from" : "to"));
  if (!bytes) return {};
  if (state_->gpu) return state_->gpu->copy(address_of(to), address_of(from), bytes);
  state_->queue->task([](void *t, const void *f, uint64_t n) { std::memmove(t, f, n); }, to, from, bytes);
  return {};
}

Result<void> Stream::fill(void *to, uint8_t value, uint64_t bytes) {
  if (!state_) return empty_stream();
  if (bytes && !to) return usage_error(fmt::format("a fill of {} bytes at a null pointer", bytes));
  if (!bytes) return {};
  if (state_->gpu) return state_->gpu->fill(address_of(to), value, bytes);
  // The value travels as the second pointer's.
  state_->queue->task(
      [](void *t, const void *v, uint64_t n) { std::memset(t, int(reinterpret_cast<uintptr_t>(v)), n); }, to,
      reinterpret_cast<const void *>(uintptr_t(value)), bytes);
  return {};
}

Result<void> Stream::record(const Event &event) {
  if (!state_) return empty_stream();
  if (!event.state_) return empty_event();
  Event::State &e = *event.state_;
  if (!state_->gpu) {
    {
      std::lock_guard lock(e.mutex);
      e.last_on_gpu = false;
    }
    state_->queue->record(event.state_);
    return {};
  }
  std::lock_guard lock(e.mutex);
  if (!e.gpu.event || &e.gpu.event->device() != &state_->gpu->device()) {
    KILN_TRY(e.gpu.event, CudaEvent::make(state_->gpu->shared_device()));
  }
  KILN_TRY(e.gpu.capture, state_->gpu->record(*e.gpu.event));
  e.last_on_gpu = true;
  return {};
}

Result<void> Stream::wait(const Event &event) {
  if (!state_) return empty_stream();
  if (!event.state_) return empty_event();
  auto gpu = event.state_->on_gpu();
  if (state_->gpu && gpu) return state_->gpu->wait(*gpu->event, gpu->capture);
  if (!gpu && event.state_->last() == 0) return {}; // no record: nothing to wait for
  if (state_->gpu || gpu)
    return usage_error(
        gpu ? "a stream on the CPU cannot wait for an event of a GPU: Event::wait does on the host"
            : "a GPU's stream cannot wait for an event of the CPU: Event::wait does on the host");
  state_->queue->wait(event.state_);
  return {};
}

bool Stream::idle() const { return !state_ || (state_->gpu ? state_->gpu->idle() : state_->queue->idle()); }

Result<void> Stream::synchronize() {
  if (!state_) return {};
  const SourceMap &sources = state_->device->runtime->sources;
  if (state_->gpu) {
    KILN_TRY(std::optional<CudaException> exception, state_->gpu->synchronize());
    if (exception) return exception_error(*exception, sources);
    return {};
  }
  std::optional<FailedLaunch> failed = state_->queue->synchronize();
  if (!failed) return {};
  KILN_CHECK(std::move(failed->status));
  return launch_result(failed->outcome, failed->checker.get(), sources);
}

Result<void> Stream::capture_begin() {
  if (!state_) return empty_stream();
  if (!state_->gpu) return usage_error("graphs are captured from streams of GPUs");
  return state_->gpu->capture_begin();
}

Result<Graph> Stream::capture_end() {
  if (!state_) return empty_stream();
  if (!state_->gpu) return usage_error("graphs are captured from streams of GPUs");
  auto state = std::make_unique<Graph::State>();
  KILN_TRY(state->graph, state_->gpu->capture_end());
  return Graph(std::move(state));
}

} // namespace kiln
