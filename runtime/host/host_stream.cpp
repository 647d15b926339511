// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_stream.h"

#include <support/support.h>

#include <algorithm>
#include <cstring>

namespace kiln {

/// Maximum bytes of a task that takes less time than to wake a thread.
constexpr uint64_t max_bytes_here = 64 << 10;

uint64_t HostEvent::record() {
  std::lock_guard lock(mutex_);
  return ++recorded_;
}
uint64_t HostEvent::last() const {
  std::lock_guard lock(mutex_);
  return recorded_;
}
bool HostEvent::has_reached(uint64_t number) const {
  std::lock_guard lock(mutex_);
  return reached_ >= number;
}
void HostEvent::wait(uint64_t number) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reached_ >= number; });
}
std::optional<std::chrono::steady_clock::time_point> HostEvent::time() const {
  std::lock_guard lock(mutex_);
  if (recorded_ == 0 || reached_ < recorded_) return std::nullopt;
  return at_;
}

void HostEvent::reach(uint64_t number) {
  std::vector<Sleeper> awake;
  {
    std::lock_guard lock(mutex_);
    if (number <= reached_) return; // an older record of the event, by another stream: the newer one counts
    reached_ = number;
    at_ = std::chrono::steady_clock::now();
    auto sleeping = std::partition(sleepers_.begin(), sleepers_.end(),
                                   [&](const Sleeper &s) { return s.number > number; });
    awake.assign(sleeping, sleepers_.end());
    sleepers_.erase(sleeping, sleepers_.end());
    changed_.notify_all();
  }
  for (const Sleeper &sleeper : awake) sleeper.stream->wake();
}

bool HostEvent::reached_or_wake(uint64_t number, HostStream &stream) {
  std::lock_guard lock(mutex_);
  if (reached_ >= number) return true;
  sleepers_.push_back({number, &stream});
  return false;
}

HostStream::~HostStream() { wait_until_idle(); }

void HostStream::wait_until_idle() {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [&] { return !running_; });
}

HostStream::Item &HostStream::claim_back() {
  if (count_ == ring_.size()) {
    std::rotate(ring_.begin(), ring_.begin() + ptrdiff_t(first_), ring_.end());
    first_ = 0;
    ring_.push_back(std::make_unique<Item>());
  }
  return *ring_[(first_ + count_) % ring_.size()];
}

void HostStream::publish_back(std::unique_lock<std::mutex> &lock, bool run_here) {
  count_++;
  const bool sleeps = !std::exchange(running_, true);
  lock.unlock();
  if (!sleeps) return;
  if (run_here)
    run();
  else
    wake();
}

void HostStream::wake() {
  executor_->enqueue([](void *self) { static_cast<HostStream *>(self)->run(); }, this);
}

void HostStream::launch(const KernelLaunch &launch, std::span<const void *const> arguments,
                        std::span<const uint64_t> sizes, std::shared_ptr<const void> code,
                        std::shared_ptr<AccessChecker> checker) {
  std::unique_lock lock(mutex_);
  Item &item = claim_back();
  item.kind = Item::Kind::Launch;
  item.launch = launch;
  auto units = [](uint64_t bytes) {
    return (bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t);
  };
  size_t total = 0;
  for (uint64_t size : sizes) total += units(size);
  item.bytes.resize(total);
  item.pointers.clear();
  std::max_align_t *at = item.bytes.data();
  for (size_t i = 0; i < arguments.size(); i++) {
    std::memcpy(at, arguments[i], sizes[i]);
    item.pointers.push_back(at);
    at += units(sizes[i]);
  }
  item.launch.arguments = item.pointers;
  item.number = executor_->interrupts();
  item.code = std::move(code);
  item.launch.checker = checker.get();
  item.checker = std::move(checker);
  publish_back(lock, launch.run_here);
}

void HostStream::task(Work work, void *to, const void *from, uint64_t bytes) {
  std::unique_lock lock(mutex_);
  Item &item = claim_back();
  item.kind = Item::Kind::Task;
  item.work = work;
  item.to = to;
  item.from = from;
  item.number = bytes;
  publish_back(lock, bytes <= max_bytes_here);
}

void HostStream::record(std::shared_ptr<HostEvent> event) {
  std::unique_lock lock(mutex_);
  Item &item = claim_back();
  item.kind = Item::Kind::Record;
  item.number = event->record();
  item.event = std::move(event);
  publish_back(lock, true);
}

void HostStream::wait(std::shared_ptr<HostEvent> event) {
  std::unique_lock lock(mutex_);
  Item &item = claim_back();
  item.kind = Item::Kind::Wait;
  item.number = event->last();
  item.event = std::move(event);
  publish_back(lock, true);
}

bool HostStream::idle() const {
  std::lock_guard lock(mutex_);
  return !running_;
}

std::optional<FailedLaunch> HostStream::synchronize() {
  std::unique_lock lock(mutex_);
  emptied_.wait(lock, [&] { return !running_; });
  return std::exchange(failed_, std::nullopt);
}

void HostStream::run() {
  for (;;) {
    Item *item = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (count_ == 0) {
        running_ = false;
        emptied_.notify_all(); // notify under the lock: afterwards the stream may be destroyed
        return;
      }
      item = ring_[first_].get(); // the pointer stays valid when other items are added
    }
    if (item->kind == Item::Kind::Wait && !item->event->reached_or_wake(item->number, *this)) return;
    run(*item);
    std::shared_ptr<const void> code = std::move(item->code); // destroyed outside the lock
    item->checker.reset();
    item->event.reset();
    item->launch.stop = {};
    std::lock_guard lock(mutex_);
    first_ = (first_ + 1) % ring_.size();
    count_--;
  }
}

void HostStream::run(Item &item) {
  if (item.kind == Item::Kind::Record) item.event->reach(item.number);
  if (item.kind == Item::Kind::Task) item.work(item.to, item.from, item.number);
  if (item.kind != Item::Kind::Launch) return;
  if (item.number != executor_->interrupts()) return; // interrupted before it started
  LaunchOutcome outcome;
  const CallbackScope scope(executor_->stream_owner());
  Result<void> status = executor_->run(item.launch, outcome);
  if (item.number != executor_->interrupts()) return;
  bool found = item.checker && !item.checker->findings().empty();
  if (status.ok() && outcome.ended_well() && !found) return;
  std::lock_guard lock(mutex_);
  if (!failed_) failed_.emplace(FailedLaunch{std::move(status), std::move(outcome), item.code, item.checker});
}

} // namespace kiln
