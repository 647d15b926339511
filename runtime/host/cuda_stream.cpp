// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_stream.h"

#include <support/count.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

constexpr unsigned NonBlocking = 1; ///< CU_STREAM_NON_BLOCKING
constexpr int ThreadLocalCapture = 1;
/// Kiln's limit; the driver's limit is 4 KB of argument bytes, 32 KB since CUDA 12.1.
constexpr size_t max_parameters = 1024;

/// Layouts of CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  enum : int { Cooperative = 2, ClusterDimension = 4, ProgrammaticSerialization = 6 };
  int id;
  int pad = 0;
  union {
    char all[64];
    uint32_t numbers[3];
  };
};
static_assert(sizeof(LaunchAttribute) == 72);
struct LaunchConfig {
  uint32_t blocks[3], threads[3], shared_bytes;
  void *stream;
  LaunchAttribute *attributes;
  uint32_t attribute_count;
};
static_assert(sizeof(LaunchConfig) == 56 && offsetof(LaunchConfig, stream) == 32);

} // namespace

static Result<void> refuse_captured(const CudaDevice &device) {
  if (device.captures_here())
    return usage_error(
        "a stream cannot be made while this thread captures a graph: make it before Stream::capture_begin");
  return {};
}

Result<std::shared_ptr<CudaStream>> CudaStream::make(std::shared_ptr<CudaDevice> device) {
  KILN_CHECK(refuse_captured(*device));
  KILN_CHECK(device->enter());
  std::shared_ptr<CudaStream> stream(new CudaStream());
  stream->device_ = device;
  KILN_CHECK(device->check(device->driver().StreamCreate(&stream->handle_, NonBlocking), "making a stream"));
  KILN_TRY(stream->mailbox_, ExceptionMailbox::make(std::move(device)));
  return stream;
}

Result<std::shared_ptr<CudaStream>> CudaStream::adopt(std::shared_ptr<CudaDevice> device, void *handle) {
  KILN_CHECK(refuse_captured(*device));
  KILN_CHECK(device->enter());
  std::shared_ptr<CudaStream> stream(new CudaStream());
  stream->owned_ = false;
  stream->handle_ = handle;
  stream->device_ = device;
  KILN_TRY(stream->mailbox_, ExceptionMailbox::make(std::move(device)));
  return stream;
}

CudaStream::~CudaStream() {
  if (!device_->enter().ok() || (!handle_ && owned_)) return;
  CudaDriver &cu = device_->driver();
  if (capture_ && capture_->origin == this && !capture_->ended) (void)capture_end();
  (void)captured();
  cu.StreamSynchronize(handle_);
  if (owned_) cu.StreamDestroy(handle_);
}

Result<void> CudaStream::launch(const std::shared_ptr<const CudaKernel> &kernel, const CudaLaunch &launch,
                                std::span<const void *const> arguments) {
  const CudaKernel &k = *kernel;
  if (&k.device() != device_.get()) [[unlikely]]
    return usage_error(
        fmt::format("{} was prepared for GPU {}, and the stream is on GPU {}{}: prepare it for that one",
                    k.name(), k.device().info().number, device_->info().number,
                    k.device().info().number == device_->info().number ? " in another context" : ""));
  if (arguments.size() != k.parameters() || arguments.size() > max_parameters) [[unlikely]]
    return usage_error(fmt::format(
        "{} takes {}, got {}", k.name(),
        counted(k.parameters(), "argument that has bytes", "arguments that have bytes"), arguments.size()));
  KILN_CHECK(k.check(launch.shape));
  KILN_CHECK(device_->enter());
  const auto &[blocks, threads, shared_bytes] = launch.shape;
  CudaDriver &cu = device_->driver();

  std::lock_guard lock(mutex_);
  ExceptionMailbox *mailbox = mailbox_.get();
  if (capture_ && captured()) [[unlikely]] {
    std::lock_guard capture_lock(capture_->mutex);
    auto &kernels = capture_->kernels;
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) kernels.push_back(kernel);
    mailbox = capture_->mailbox.get();
  } else {
    hold(kernel.get(), kernel, nullptr);
  }
  // The cast is safe: the driver does not write through these pointers.
  void *with_state[max_parameters + 1];
  void **pointers = const_cast<void **>(arguments.data());
  if (k.has_state()) {
    with_state[0] = mailbox->state();
    for (size_t i = 0; i < arguments.size(); i++) with_state[i + 1] = pointers[i];
    pointers = with_state;
  }
  int status;
  bool cooperative = k.needs_cooperative_launch() || launch.cooperative;
  if (!cooperative && !launch.cluster[0] && !launch.programmatic_serialization) [[likely]] {
    status = cu.LaunchKernel(k.function(), blocks[0], blocks[1], blocks[2], threads[0], threads[1],
                             threads[2], unsigned(shared_bytes), handle_, pointers, nullptr);
  } else {
    LaunchAttribute attributes[3];
    LaunchConfig config{{blocks[0], blocks[1], blocks[2]},
                        {threads[0], threads[1], threads[2]},
                        uint32_t(shared_bytes),
                        handle_,
                        attributes,
                        0};
    auto add = [&](int id, std::array<uint32_t, 3> value) {
      LaunchAttribute &a = attributes[config.attribute_count++];
      std::memset(&a, 0, sizeof a);
      a.id = id;
      std::copy(value.begin(), value.end(), a.numbers);
    };
    if (cooperative) add(LaunchAttribute::Cooperative, {1, 0, 0});
    if (launch.cluster[0]) {
      if (!device_->limits().clusters)
        return usage_error(fmt::format("{} (sm_{}) has no clusters of blocks: they came with sm_90",
                                       device_->info().name, device_->info().sm));
      for (size_t i = 0; i < 3; i++)
        if (launch.cluster[i] == 0 || blocks[i] % launch.cluster[i])
          return usage_error(fmt::format("clusters of {} blocks do not divide a grid of {}",
                                         fmt::join(launch.cluster, "x"), fmt::join(blocks, "x")));
      add(LaunchAttribute::ClusterDimension, launch.cluster);
    }
    if (launch.programmatic_serialization) add(LaunchAttribute::ProgrammaticSerialization, {1, 0, 0});
    status = cu.LaunchKernelEx(&config, k.function(), pointers, nullptr);
  }
  if (status == 0) [[likely]]
    return {};
  if (status == cuda_status::CooperativeTooLarge)
    return make_error(
        ErrorCode::LaunchError,
        fmt::format("a grid of {} blocks waits for all of them, and they do not fit on {} at once",
                    fmt::join(blocks, "x"), device_->info().name),
        {}, "launch fewer blocks, each of which does more");
  return failed(status, "launching " + k.name());
}

inline void CudaStream::hold(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
                             const std::shared_ptr<CudaGraph> &graph) {
  launches_++;
  if (newest_ < held_.size() && held_[newest_].key == key) [[likely]]
    held_[newest_].last = launches_;
  else
    hold_new(key, kernel, graph);
}

void CudaStream::hold_new(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
                          const std::shared_ptr<CudaGraph> &graph) {
  for (newest_ = 0; newest_ < held_.size(); newest_++)
    if (held_[newest_].key == key) {
      held_[newest_].last = launches_;
      return;
    }
  if (held_.size() >= prune_at_) { // drop owners of finished launches, for callers that never synchronise
    if (device_->driver().StreamQuery(handle_) == 0 && mailbox_->empty())
      std::erase_if(held_, [](const Held &h) { return !h.graph; });
    prune_at_ = std::max<size_t>(64, 2 * held_.size());
  }
  newest_ = held_.size();
  held_.push_back({key, kernel, graph, launches_});
}

Result<void> CudaStream::launch(const std::shared_ptr<CudaGraph> &graph) {
  if (&graph->device() != device_.get())
    return usage_error(fmt::format("the graph was captured on GPU {}, and the stream is on GPU {}",
                                   graph->device().info().number, device_->info().number));
  KILN_CHECK(device_->enter());
  std::lock_guard lock(mutex_);
  if (capture_ && captured()) return usage_error("a graph cannot be launched in a stream that is captured");
  hold(graph.get(), nullptr, graph);
  int status = device_->driver().GraphLaunch(graph->executable_, handle_);
  return status ? Result<void>(failed(status, "launching a graph")) : Result<void>();
}

Result<void> CudaStream::copy(uint64_t to, uint64_t from, uint64_t bytes) {
  if (bytes == 0) return {};
  KILN_CHECK(device_->enter());
  int status = device_->driver().MemcpyAsync(to, from, bytes, handle_);
  return status ? Result<void>(failed(status, fmt::format("copying {} bytes", bytes))) : Result<void>();
}

Result<void> CudaStream::fill(uint64_t to, uint8_t value, uint64_t bytes) {
  if (bytes == 0) return {};
  KILN_CHECK(device_->enter());
  int status = device_->driver().MemsetAsync(to, value, bytes, handle_);
  return status ? Result<void>(failed(status, fmt::format("filling {} bytes", bytes))) : Result<void>();
}

Result<uint64_t> CudaStream::allocate(uint64_t bytes) {
  {
    std::lock_guard lock(mutex_);
    if (capture_ && captured())
      return usage_error("a stream that is captured cannot allocate: allocate before Stream::capture_begin");
  }
  return device_->allocate(bytes, handle_);
}

void CudaStream::release(uint64_t address, uint64_t bytes) {
  {
    std::lock_guard lock(mutex_);
    if (capture_ && captured()) {
      released_.push_back({address, bytes}); // a capture must not contain frees: run them after the capture
      return;
    }
  }
  device_->release(address, bytes, handle_);
}

bool CudaStream::is_captured() {
  std::lock_guard lock(mutex_);
  return capture_ && captured();
}

bool CudaStream::idle() {
  if (!device_->enter().ok()) return true;
  return device_->driver().StreamQuery(handle_) != cuda_status::NotReady;
}

std::string CudaStream::suspects() const {
  std::vector<std::string_view> names;
  for (const Held &h : held_) {
    if (h.kernel) names.push_back(h.kernel->name());
    if (h.graph)
      for (const auto &kernel : h.graph->kernels_) names.push_back(kernel->name());
  }
  if (names.empty()) return "running what the stream holds";
  if (names.size() == 1) return fmt::format("running {}", names[0]);
  std::string more = names.size() > 8 ? fmt::format(" or {} more", names.size() - 8) : "";
  names.resize(std::min<size_t>(names.size(), 8));
  return fmt::format("running one of {}{}", fmt::join(names, ", "), more);
}

Error CudaStream::failed(int status, const std::string &what) {
  // Any later call may report a sticky error of an earlier launch: name the launches that may be its cause.
  if (!CudaDriver::is_sticky(status) || held_.empty()) return device_->error(status, what);
  return device_->error(status, suspects());
}

Result<std::optional<CudaException>> CudaStream::synchronize() {
  KILN_CHECK(device_->enter());
  uint64_t until;
  {
    std::lock_guard lock(mutex_);
    if (capture_ && captured())
      return usage_error("a stream that is captured does not run: Stream::capture_end comes first");
    until = launches_;
  }
  int status = device_->driver().StreamSynchronize(handle_);
  std::vector<Held> done;
  std::lock_guard lock(mutex_);
  if (status) return failed(status, "waiting for a stream");
  KILN_TRY(auto found, mailbox_->take());
  for (Held &h : held_)
    if (h.graph && !found) {
      KILN_TRY(found, h.graph->mailbox_->take());
    }
  // Keep the owners of launches that other threads added meanwhile.
  auto late = std::partition(held_.begin(), held_.end(), [&](const Held &h) { return h.last > until; });
  held_.erase(late, held_.end());
  newest_ = held_.size();
  return found;
}

// ---- captures

bool CudaStream::captured() {
  if (!capture_) return false;
  {
    std::lock_guard lock(capture_->mutex);
    if (!capture_->ended) return true;
  }
  capture_.reset();
  for (auto [address, bytes] : released_) device_->release(address, bytes, handle_);
  released_.clear();
  return false;
}

Result<std::shared_ptr<CudaCapture>> CudaStream::record(const CudaEvent &event) {
  KILN_CHECK(device_->enter());
  std::lock_guard lock(mutex_);
  if (int status = device_->driver().EventRecord(event.handle(), handle_))
    return failed(status, "recording an event");
  return capture_ && captured() ? capture_ : nullptr;
}

Result<void> CudaStream::wait(const CudaEvent &event, const std::shared_ptr<CudaCapture> &recorded_in) {
  KILN_CHECK(device_->enter());
  std::lock_guard lock(mutex_);
  if (int status = device_->driver().StreamWaitEvent(handle_, event.handle(), 0))
    return failed(status, "waiting for an event");
  if (recorded_in && !(capture_ && captured()))
    capture_ = recorded_in; // the driver added this stream to the event's capture
  return {};
}

Result<void> CudaStream::capture_begin() {
  KILN_CHECK(device_->enter());
  std::lock_guard lock(mutex_);
  if (capture_ && captured()) return usage_error("the stream is captured already");
  auto capture = std::make_shared<CudaCapture>();
  capture->origin = this;
  KILN_TRY(capture->mailbox, ExceptionMailbox::make(device_));
  if (int status = device_->driver().StreamBeginCapture(handle_, ThreadLocalCapture))
    return failed(status, "beginning to capture a stream");
  capture_ = std::move(capture);
  device_->capture_began();
  return {};
}

Result<std::shared_ptr<CudaGraph>> CudaStream::capture_end() {
  KILN_CHECK(device_->enter());
  std::shared_ptr<CudaCapture> capture;
  CudaDriver &cu = device_->driver();
  void *captured_graph = nullptr;
  std::shared_ptr<CudaGraph> graph(new CudaGraph());
  graph->device_ = device_;
  {
    std::lock_guard lock(mutex_);
    if (!capture_ || !captured() || capture_->origin != this)
      return usage_error("nothing is captured from this stream: Stream::capture_begin comes first");
    int status = cu.StreamEndCapture(handle_, &captured_graph);
    if (status == cuda_status::CaptureWrongThread) return failed(status, "ending the capture of a stream");
    device_->capture_ended();
    {
      std::lock_guard capture_lock(capture_->mutex);
      capture_->ended = true;
      graph->mailbox_ = std::move(capture_->mailbox);
      graph->kernels_ = std::move(capture_->kernels);
    }
    (void)captured(); // drops an ended capture
    if (status) return failed(status, "ending the capture of a stream");
  }
  if (!captured_graph) return usage_error("the capture was broken by something that a stream cannot record");
  int status = cu.GraphInstantiate(&graph->executable_, captured_graph, 0);
  cu.GraphDestroy(captured_graph);
  if (status) return device_->error(status, "making a captured graph ready");
  return graph;
}

} // namespace kiln
