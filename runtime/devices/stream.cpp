// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles of kernels, events, graphs and streams (kiln/stream.h). They check arguments in the same way for
// all devices and call their backends.
#include "device.h"

#include "device_memory.h"

#include <support/releasable_lock.h>

namespace kiln {

namespace {

Error empty_stream() {
  return usage_error("an empty handle of a stream: a session or a runtime makes them (stream)");
}
Error empty_kernel() {
  return usage_error("an empty handle of a kernel: it was moved from, or nothing was prepared");
}
Error empty_event() { return usage_error("an event that was moved from: make another one"); }

Result<void> check_kernel(const Kernel::State *kernel) {
  return kernel ? check_device(kernel->device.get()) : empty_kernel();
}
Result<void> check_event(const Event::State *event) {
  if (!event) return empty_event();
  return event->is_of_this_process() ? Result<void>() : of_parent_process();
}
Result<void> check_stream(const Stream::State *stream) {
  return stream ? check_device(stream->device.get()) : empty_stream();
}

} // namespace

Result<void> check_options(const LaunchOptions &options, const DeviceBackend &device) {
  const DeviceApi &api = device.api();
  if (options.stop && !api.time_limits) [[unlikely]]
    return usage_error(fmt::format(
        "a launch on {} ({}) was given a stop source, and a GPU's kernels cannot be stopped: leave "
        "LaunchOptions::stop out, and let the kernel read a flag in pinned memory",
        device.place(), device.info().name));
  if (options.time_limit.count() && !api.time_limits)
    return usage_error("a time limit is for the CPU: a GPU's kernels cannot be interrupted");
  const auto &[x, y, z] = options.cluster;
  if ((x || y || z) && !api.clusters) return usage_error("clusters of blocks are for GPUs from sm_90 on");
  if (options.cooperative && api.is_gpu() && !device.limits().cooperative)
    return usage_error(fmt::format(
        "{} cannot launch blocks that wait for each other (LaunchOptions::cooperative): split the "
        "kernel where the blocks wait",
        device.info().name));
  if (bool(x) != bool(y) || bool(x) != bool(z))
    return usage_error(fmt::format(
        "a cluster of {}x{}x{} blocks: every dimension must be at least 1, or all of them 0 for none", x, y,
        z));
  return {};
}

// ---- kernels

const Artifact &Kernel::artifact() const {
  static const Artifact none{};
  return state_ ? *state_->loaded.artifact : none;
}
Device Kernel::device() const { return state_ ? Device(state_->device) : Device(); }
Result<LaunchSuggestion> Kernel::suggest(uint64_t shared_bytes) const {
  KILN_CHECK(check_kernel(state_.get()));
  return state_->loaded.backend->suggest(shared_bytes);
}
Result<GlobalVariable> Kernel::global(std::string_view name) const {
  KILN_CHECK(check_kernel(state_.get()));
  return state_->loaded.backend->global(name);
}

// ---- events

Event::Event() : state_(make_of_process<State>()) {}

Result<void> Event::check() const { return check_event(state_.get()); }

bool Event::done() const {
  auto last = check().ok() ? state_->last_record() : nullptr;
  return !last || last->done();
}

void Event::wait() const {
  if (auto last = check().ok() ? state_->last_record() : nullptr) {
    const ReleasedLocks released;
    last->wait();
  }
}

Result<std::chrono::nanoseconds> Event::between(const Event &from, const Event &to) {
  KILN_CHECK(from.check());
  KILN_CHECK(to.check());
  const auto begin = from.state_->last_record(), end = to.state_->last_record();
  if (begin && end && &begin->api() != &end->api())
    return usage_error("the two events are of different devices: their clocks have nothing in common");
  std::optional<std::chrono::nanoseconds> time;
  if (begin && end) {
    KILN_TRY(time, end->since(*begin));
  }
  if (time) return *time;
  return usage_error(fmt::format("the {} event has not been reached: record it in a stream and wait for it",
                                 begin && begin->done() ? "second" : "first"));
}

// ---- graphs

Graph::Graph() = default;
Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph &&) noexcept = default;
Graph &Graph::operator=(Graph &&other) noexcept {
  if (this != &other) {
    Graph old(std::move(*this));
    state_ = std::move(other.state_);
  }
  return *this;
}
Graph::~Graph() {
  if (state_ && !state_->device->runtime().is_of_this_process()) (void)state_.release();
}

// ---- streams

Stream::Stream() = default;
Stream::Stream(std::unique_ptr<State> state) : state_(std::move(state)) {}
Stream::Stream(Stream &&) noexcept = default;
Stream &Stream::operator=(Stream &&other) noexcept {
  if (this != &other) {
    Stream old(std::move(*this)); // waits until the stream is empty
    state_ = std::move(other.state_);
  }
  return *this;
}
Stream::~Stream() {
  if (state_ && !state_->device->runtime().is_of_this_process())
    (void)state_.release(); // leak the state: a forked child has no thread that could empty the stream
  if (!state_) return;
  const ReleasedLocks released;
  (void)state_->backend->synchronize(); // wait here: buffers may keep the backend alive after the stream
}

Device Stream::device() const { return state_ ? Device(state_->device) : Device(); }
void *Stream::native_handle() const { return state_ ? state_->backend->native_handle() : nullptr; }

Result<void> Stream::launch(const Kernel &kernel, const LaunchShape &shape,
                            std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!state_) [[unlikely]]
    return empty_stream();
  if (!kernel) [[unlikely]]
    return empty_kernel();
  const Kernel::State &k = *kernel.state_;
  const LoadedKernel &loaded = k.loaded;
  if (!state_->device->runtime().is_of_this_process()) [[unlikely]]
    return of_parent_process();
  if (&k.device->runtime() != &state_->device->runtime()) [[unlikely]]
    return usage_error(
        fmt::format("{} was prepared by another session or runtime than the stream's: prepare it in that one",
                    loaded.name));
  const DeviceApi &api = state_->backend->api();
  if (&loaded.backend->api() != &api) [[unlikely]]
    return usage_error(fmt::format("{} was prepared for {}, and the stream is on {}: prepare it for that one",
                                   loaded.name, k.device->info().name, state_->device->info().name));
  KILN_CHECK(check_options(options, *state_->device));
  KILN_CHECK(check_arguments(loaded.name, *loaded.artifact, loaded.memory, arguments));
  return state_->backend->launch(loaded, shape, arguments, options);
}

Result<void> Stream::launch(const Graph &graph) {
  KILN_CHECK(check_stream(state_.get()));
  if (!graph) return usage_error("a launch of an empty graph: Stream::capture_end makes them");
  return state_->backend->launch(*graph.state_->backend);
}

Result<Buffer> Stream::allocate(uint64_t bytes) {
  KILN_CHECK(check_stream(state_.get()));
  Buffer buffer;
  buffer.bytes_ = bytes;
  buffer.owner_ = make_of_process<Buffer::Owner>(Buffer::Owner{state_->device, state_->backend});
  KILN_TRY(buffer.data_, state_->backend->allocate(bytes));
  return buffer;
}

Result<void> Stream::copy(void *to, const void *from, uint64_t bytes) {
  KILN_CHECK(check_stream(state_.get()));
  if (bytes && (!to || !from))
    return usage_error(fmt::format("a copy of {} bytes {} a null pointer", bytes, to ? "from" : "to"));
  return bytes ? state_->backend->copy(to, from, bytes) : Result<void>();
}

Result<void> Stream::fill(void *to, uint8_t value, uint64_t bytes) {
  KILN_CHECK(check_stream(state_.get()));
  if (bytes && !to) return usage_error(fmt::format("a fill of {} bytes at a null pointer", bytes));
  return bytes ? state_->backend->fill(to, value, bytes) : Result<void>();
}

Result<void> Stream::record(const Event &event) {
  KILN_CHECK(check_stream(state_.get()));
  KILN_CHECK(event.check());
  return state_->backend->record(*event.state_);
}

Result<void> Stream::wait(const Event &event) {
  KILN_CHECK(check_stream(state_.get()));
  KILN_CHECK(event.check());
  auto last = event.state_->last_record();
  if (!last) return {}; // the event was never recorded: nothing to wait for
  if (&last->api() != &state_->backend->api())
    return usage_error(
        !state_->backend->api().is_gpu()
            ? "a stream on the CPU cannot wait for an event of a GPU: Event::wait does on the host"
        : !last->api().is_gpu()
            ? "a GPU's stream cannot wait for an event of the CPU: Event::wait does on the host"
            : "a stream cannot wait for an event of another driver's device: Event::wait does on the host");
  return state_->backend->wait(*event.state_, std::move(last));
}

bool Stream::idle() const { return !check_stream(state_.get()).ok() || state_->backend->idle(); }
Result<void> Stream::synchronize() {
  if (!state_) return {};
  KILN_CHECK(check_stream(state_.get()));
  const ReleasedLocks released;
  return state_->backend->synchronize();
}
Result<void> Stream::capture_begin() {
  KILN_CHECK(check_stream(state_.get()));
  return state_->backend->capture_begin();
}

Result<Graph> Stream::capture_end() {
  KILN_CHECK(check_stream(state_.get()));
  auto state = std::make_unique<Graph::State>();
  state->device = state_->device;
  KILN_TRY(state->backend, state_->backend->capture_end());
  return Graph(std::move(state));
}

} // namespace kiln
