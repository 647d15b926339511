// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_stream.h"

#include "device_memory.h"
#include "outcome.h"

#include <algorithm>

namespace kiln {

namespace {

void *pointer_to(uint64_t address) { return reinterpret_cast<void *>(uintptr_t(address)); }

class CudaEventBackend final : public EventBackend {
public:
  explicit CudaEventBackend(std::shared_ptr<CudaEvent> made)
      : EventBackend(cuda_api), event(std::move(made)) {}
  bool done() const override { return event->done(); }
  void wait() const override { event->wait(); }
  Result<std::optional<std::chrono::nanoseconds>> since(const EventBackend &begin) const override {
    KILN_TRY(auto milliseconds,
             CudaEvent::milliseconds_between(*static_cast<const CudaEventBackend &>(begin).event, *event));
    if (!milliseconds) return std::nullopt;
    return std::chrono::nanoseconds(int64_t(double(*milliseconds) * 1e6));
  }

  const std::shared_ptr<CudaEvent> event;
  std::shared_ptr<CudaCapture> capture; ///< capture of the last record; under the Event::State's mutex
};

class CudaGraphBackend final : public GraphBackend {
public:
  explicit CudaGraphBackend(std::shared_ptr<CudaGraph> captured) : graph(std::move(captured)) {}
  const std::shared_ptr<CudaGraph> graph;
};

class CudaStreamBackend final : public StreamBackend {
public:
  CudaStreamBackend(std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<CudaStream> stream)
      : StreamBackend(cuda_api), runtime_(std::move(runtime)), stream_(std::move(stream)) {}
  void *native_handle() const override { return stream_->handle(); }

  Result<void> launch(const LoadedKernel &kernel, const LaunchShape &shape,
                      std::span<const void *const> arguments, const LaunchOptions &options) override {
    const NvtxRange range(runtime_->nvtx, kernel.artifact->entry.c_str());
    return launch_in(*stream_, *runtime_, kernel, shape, arguments, options);
  }
  Result<void> launch(const GraphBackend &graph) override {
    return stream_->launch(static_cast<const CudaGraphBackend &>(graph).graph);
  }
  Result<void *> allocate(uint64_t bytes) override {
    KILN_TRY(uint64_t address, stream_->allocate(bytes));
    return pointer_to(address);
  }
  void release(void *data, uint64_t bytes) override { stream_->release(address_of(data), bytes); }
  Result<void> copy(void *to, const void *from, uint64_t bytes) override {
    return stream_->copy(address_of(to), address_of(from), bytes);
  }
  Result<void> fill(void *to, uint8_t value, uint64_t bytes) override {
    return stream_->fill(address_of(to), value, bytes);
  }

  Result<void> record(Event::State &event) override {
    std::lock_guard lock(event.mutex);
    // A CUevent belongs to one context. If the event was last recorded on another GPU, make a new CUevent.
    auto recorded = event.last && &event.last->api() == &cuda_api
                        ? std::static_pointer_cast<CudaEventBackend>(event.last)
                        : nullptr;
    if (!recorded || &recorded->event->device() != &stream_->device()) {
      KILN_TRY(auto made, CudaEvent::make(stream_->shared_device()));
      recorded = std::make_shared<CudaEventBackend>(std::move(made));
    }
    KILN_TRY(recorded->capture, stream_->record(*recorded->event));
    event.last = std::move(recorded);
    return {};
  }
  Result<void> wait(const Event::State &event, std::shared_ptr<EventBackend> last) override {
    const auto &recorded = static_cast<const CudaEventBackend &>(*last);
    std::shared_ptr<CudaCapture> capture;
    {
      std::lock_guard lock(event.mutex);
      capture = recorded.capture;
    }
    return stream_->wait(*recorded.event, capture);
  }
  bool idle() override { return stream_->idle(); }
  Result<void> synchronize() override {
    KILN_TRY(std::optional<CudaException> exception, stream_->synchronize());
    if (exception) return exception_error(*exception, runtime_->sources);
    return {};
  }
  Result<void> capture_begin() override { return stream_->capture_begin(); }
  Result<std::shared_ptr<const GraphBackend>> capture_end() override {
    KILN_TRY(auto graph, stream_->capture_end());
    return std::shared_ptr<const GraphBackend>(std::make_shared<CudaGraphBackend>(std::move(graph)));
  }

private:
  const std::shared_ptr<SessionRuntime> runtime_;
  const std::shared_ptr<CudaStream> stream_;
};

} // namespace

Result<LaunchSuggestion> CudaKernelBackend::suggest(uint64_t shared_bytes) const {
  KILN_TRY(CudaKernel::Suggestion s, kernel()->suggest(shared_bytes));
  return LaunchSuggestion{.threads = uint32_t(s.threads), .blocks = uint32_t(s.blocks)};
}

Result<GlobalVariable> CudaKernelBackend::global(std::string_view name) const {
  // Read the original module: a swapped-in kernel has other globals.
  KILN_TRY(auto found, loaded_->global(std::string(name)));
  return GlobalVariable{.address = pointer_to(found.first), .bytes = found.second};
}

const Artifact *CudaKernelBackend::running() const { return &kernel()->artifact(); }

bool CudaKernelBackend::swap_in(const KernelBackend &better) const {
  std::lock_guard lock(swapping_);
  if (better_) return false;
  better_ = static_cast<const CudaKernelBackend &>(better).kernel();
  current_.store(&better_,
                 std::memory_order_release); // pairs with the acquire of kernel(): better_ is complete
  return true;
}

std::shared_ptr<StreamBackend> cuda_stream_backend(std::shared_ptr<SessionRuntime> runtime,
                                                   std::shared_ptr<CudaStream> stream) {
  return std::make_shared<CudaStreamBackend>(std::move(runtime), std::move(stream));
}

void CudaKernelBackend::plan_coarse(CoarsePlan plan, std::function<void()> wanted) const {
  coarse_plan_ = std::move(plan);
  coarse_wanted_ = std::move(wanted);
}

void CudaKernelBackend::set_coarse(std::shared_ptr<const CudaKernel> entry) const {
  coarse_entry_ = std::move(entry);
  coarse_.store(&coarse_entry_,
                std::memory_order_release); // pairs with find_coarse: coarse_entry_ is complete
}

bool CudaKernelBackend::take_coarse(const KernelBackend &other) const {
  const auto *entry = static_cast<const CudaKernelBackend &>(other).coarse_.load(std::memory_order_acquire);
  std::lock_guard lock(swapping_);
  if (coarse_entry_ || !entry) return false;
  set_coarse(*entry);
  return true;
}

const std::shared_ptr<const CudaKernel> *CudaKernelBackend::find_coarse(
    const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options) const {
  if (!coarse_plan_->fits(shape, arguments, options)) return nullptr;
  const std::shared_ptr<const CudaKernel> *entry = coarse_.load(std::memory_order_acquire);
  if (entry) return (*entry)->check(shape).ok() ? entry : nullptr;
  // Request the coarse entry at the kernel's second launch. Many kernels run only once, and compiling would
  // slow down the first launch.
  if (coarse_launches_.load(std::memory_order_relaxed) < 2 && coarse_launches_.fetch_add(1) == 1 &&
      coarse_wanted_)
    coarse_wanted_();
  return nullptr;
}

Result<void> launch_in(CudaStream &stream, SessionRuntime &runtime, const LoadedKernel &kernel,
                       const LaunchShape &shape, std::span<const void *const> arguments,
                       const LaunchOptions &options) {
  const auto &backend = static_cast<const CudaKernelBackend &>(*kernel.backend);
  const auto *coarse = backend.coarse_for(shape, arguments, options);
  if (runtime.timer.enabled()) [[unlikely]]
    runtime.kernels.launched(running_code(kernel), shape, coarse ? backend.coarse_plan().factor() : 0);
  auto launch_of = [&](const LaunchShape &as) {
    return CudaLaunch{.shape = as,
                      .cluster = options.cluster,
                      .cooperative = options.cooperative,
                      .programmatic_serialization = options.programmatic_serialization};
  };
  auto run = [&](const std::shared_ptr<const CudaKernel> &entry, const LaunchShape &as,
                 std::span<const void *const> given) -> Result<void> {
    // With programmatic serialization, a timing event before the launch would prevent its overlap with the
    // previous one.
    if (!runtime.timer.wants_kernels() || options.programmatic_serialization) [[likely]]
      return stream.launch(entry, launch_of(as), given);
    std::shared_ptr<CudaEvent> begin = runtime.clock.begin(stream);
    KILN_CHECK(stream.launch(entry, launch_of(as), given));
    if (begin) runtime.clock.end(stream, running_code(kernel).entry, std::move(begin));
    return {};
  };
  if (!coarse) return run(backend.kernel_for(shape), shape, arguments);
  const uint32_t threads = shape.blocks[0] * shape.threads[0];
  std::array<const void *, CoarsePlan::max_parameters + 1> with_threads;
  std::ranges::copy(arguments, with_threads.begin());
  with_threads[arguments.size()] = &threads;
  const LaunchShape fewer = backend.coarse_plan().coarse_shape(shape);
  return run(*coarse, fewer, std::span<const void *const>(with_threads).first(arguments.size() + 1));
}

} // namespace kiln
