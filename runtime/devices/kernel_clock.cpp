// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_clock.h"

#include <fmt/format.h>

namespace kiln {

// In ns; older anchors are too inexact, since CUDA measures the time between events as a float.
constexpr uint64_t anchor_lifetime = 10'000'000'000;

void KernelClock::ran(const Artifact &kernel, uint64_t start, uint64_t end) {
  const uint64_t took = end - std::min(start, end);
  stats_.executed(kernel.entry, true, took);
  timer_.add_device_event("CPU kernels", kernel.entry, start, took);
}

std::shared_ptr<CudaEvent> KernelClock::take_event(Gpu &gpu, CudaStream &stream) {
  std::shared_ptr<CudaEvent> event;
  if (gpu.free.empty()) {
    auto made = CudaEvent::make(stream.shared_device());
    if (!made.ok()) return nullptr;
    event = std::move(*made);
  } else {
    event = std::move(gpu.free.back());
    gpu.free.pop_back();
  }
  return stream.record(*event).ok() ? event : nullptr;
}

std::shared_ptr<const KernelClock::Anchor> KernelClock::anchor_of(Gpu &gpu,
                                                                  const std::shared_ptr<CudaDevice> &device) {
  if (gpu.anchor && Timer::now() - gpu.anchor->at < anchor_lifetime) return gpu.anchor;
  if (!gpu.stream) {
    auto made = CudaStream::make(device);
    if (!made.ok()) return nullptr;
    gpu.stream = std::move(*made);
  }
  auto event = CudaEvent::make(device);
  if (!event.ok() || !gpu.stream->record(**event).ok()) return nullptr;
  (*event)->wait(); // returns at once: the stream has no other work
  gpu.anchor = std::make_shared<const Anchor>(Anchor{std::move(*event), Timer::now()});
  return gpu.anchor;
}

std::shared_ptr<CudaEvent> KernelClock::begin(CudaStream &stream) {
  if (stream.is_captured()) return nullptr;
  std::lock_guard lock(mutex_);
  return take_event(gpus_[&stream.device()], stream);
}

void KernelClock::end(CudaStream &stream, const std::string &entry, std::shared_ptr<CudaEvent> begin) {
  std::lock_guard lock(mutex_);
  Gpu &gpu = gpus_[&stream.device()];
  std::shared_ptr<CudaEvent> end = take_event(gpu, stream);
  if (!end) return;
  auto anchor = timer_.wants_events() ? anchor_of(gpu, stream.shared_device()) : nullptr;
  pending_.push_back({entry, std::move(begin), std::move(end), std::move(anchor)});
  if (pending_.size() > max_pending) collect_ended();
}

void KernelClock::launched(const std::string &entry, std::shared_ptr<OpenClEvent> event) {
  std::lock_guard lock(mutex_);
  opencl_pending_.push_back({entry, std::move(event)});
  if (opencl_pending_.size() > max_pending) collect_ended();
}

void KernelClock::collect_ended() {
  std::erase_if(opencl_pending_, [&](const OpenClLaunch &launch) {
    if (!launch.event->done()) return false;
    if (const auto took = launch.event->run_time())
      stats_.executed(launch.entry, false, uint64_t(took->count()));
    return true;
  });
  constexpr double nanoseconds = 1e6; // per millisecond
  std::erase_if(pending_, [&](Launch &launch) {
    if (!launch.end->done()) return false;
    CudaDevice &device = launch.end->device();
    auto took = CudaEvent::milliseconds_between(*launch.begin, *launch.end);
    if (took.ok() && *took) {
      const auto duration = uint64_t(double(**took) * nanoseconds);
      stats_.executed(launch.entry, false, duration);
      if (launch.anchor) {
        auto since = CudaEvent::milliseconds_between(*launch.anchor->event, *launch.begin);
        if (since.ok() && *since)
          timer_.add_device_event(fmt::format("GPU {}", device.info().number), launch.entry,
                                  launch.anchor->at + uint64_t(double(std::max(0.0f, **since)) * nanoseconds),
                                  duration);
      }
    }
    auto &free = gpus_[&device].free;
    free.push_back(std::move(launch.begin));
    free.push_back(std::move(launch.end));
    return true;
  });
}

void KernelClock::collect() {
  std::lock_guard lock(mutex_);
  collect_ended();
}

void KernelClock::clear() {
  std::lock_guard lock(mutex_);
  pending_.clear();
  opencl_pending_.clear();
}

} // namespace kiln
