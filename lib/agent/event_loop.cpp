// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "event_loop.h"

#include <support/descriptor.h>
#include <support/signals.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>

namespace kiln {

void Mailbox::post(std::function<void()> work) {
  {
    std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
  }
  const uint64_t one = 1;
  // Fails only if the counter is full; the descriptor is readable then, too.
  (void)!::write(wake_.get(), &one, sizeof one);
}

std::vector<std::function<void()>> Mailbox::take() {
  // Reset the counter before taking the work: work that is posted after that wakes the loop again.
  uint64_t count;
  (void)!::read(wake_.get(), &count, sizeof count);
  std::lock_guard lock(mutex_);
  return std::exchange(work_, {});
}

Result<std::unique_ptr<EventLoop>> EventLoop::make() {
  OwnedDescriptor epoll(above_standard_streams(::epoll_create1(EPOLL_CLOEXEC)));
  OwnedDescriptor wake(above_standard_streams(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)));
  if (!epoll || !wake)
    return machine_error(
        fmt::format("cannot make an event loop: {}", std::generic_category().message(errno)));
  return std::unique_ptr<EventLoop>(
      new EventLoop(std::move(epoll), std::make_shared<Mailbox>(std::move(wake))));
}

EventLoop::EventLoop(OwnedDescriptor epoll, std::shared_ptr<Mailbox> mailbox)
    : epoll_(std::move(epoll)), mailbox_(std::move(mailbox)) {
  watch(mailbox_->descriptor(), EPOLLIN, [this](uint32_t) {
    for (std::function<void()> &work : mailbox_->take()) defer(std::move(work));
  });
}

void EventLoop::watch(int descriptor, uint32_t events, Ready ready) {
  unwatch(descriptor);
  const uint32_t generation = next_generation_++;
  watches_[descriptor] = {generation, events, std::make_shared<Ready>(std::move(ready))};
  epoll_event event{.events = events, .data = {.u64 = uint64_t(generation) << 32 | uint32_t(descriptor)}};
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event);
}

void EventLoop::set_events(int descriptor, uint32_t events) {
  auto found = watches_.find(descriptor);
  if (found == watches_.end() || std::exchange(found->second.events, events) == events) return;
  epoll_event event{
      .events = events,
      .data = {.u64 = uint64_t(found->second.generation) << 32 | uint32_t(descriptor)},
  };
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, descriptor, &event);
}

void EventLoop::unwatch(int descriptor) {
  if (watches_.erase(descriptor) == 0) return;
  epoll_event none{};
  (void)::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, &none);
}

EventLoop::TimerId EventLoop::after(std::chrono::nanoseconds delay, std::function<void()> work) {
  const TimerId id = next_timer_++;
  const SteadyTime time = now() + delay;
  timers_.emplace(std::pair(time, id), std::move(work));
  timer_times_.emplace(id, time);
  return id;
}

void EventLoop::cancel(TimerId &timer) {
  if (auto found = timer_times_.find(timer); found != timer_times_.end()) {
    timers_.erase({found->second, timer});
    timer_times_.erase(found);
  }
  timer = 0;
}

void EventLoop::run_timers() {
  // Fixed, so that timers which callbacks set for this moment run in the next round.
  const SteadyTime time = now();
  while (!timers_.empty() && timers_.begin()->first.first <= time) {
    auto timer = timers_.extract(timers_.begin());
    timer_times_.erase(timer.key().second);
    timer.mapped()();
    run_deferred();
  }
}

void EventLoop::run_deferred() {
  while (!deferred_.empty())
    for (std::function<void()> &work : std::exchange(deferred_, {})) work();
}

int EventLoop::milliseconds_to_next() const {
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first.first - now());
  return int(std::clamp<int64_t>(left.count(), 0, 60'000));
}

void EventLoop::run() {
  std::vector<epoll_event> events(64);
  run_deferred();
  while (!is_stopped_) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), int(events.size()), milliseconds_to_next());
    for (int i = 0; i < count; i++) {
      auto found = watches_.find(int(uint32_t(events[size_t(i)].data.u64)));
      if (found == watches_.end() || found->second.generation != events[size_t(i)].data.u64 >> 32) continue;
      const std::shared_ptr<Ready> ready = found->second.ready;
      (*ready)(events[size_t(i)].events);
      run_deferred();
    }
    run_timers();
  }
}

// ---- the helper thread

struct HelperThread::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool is_ended = false;
};

HelperThread::HelperThread() : state_(std::make_shared<State>()) {
  // A detached thread: a call into a hung file system never returns, and nobody may wait for it.
  std::thread([state = state_] {
    block_signals_of_thread();
    std::unique_lock lock(state->mutex);
    for (;;) {
      state->changed.wait(lock, [&] { return state->is_ended || !state->work.empty(); });
      if (state->is_ended) return;
      std::function<void()> work = std::move(state->work.front());
      state->work.pop_front();
      lock.unlock();
      work();
      work = {};
      lock.lock();
    }
  }).detach();
}

HelperThread::~HelperThread() {
  std::lock_guard lock(state_->mutex);
  state_->is_ended = true;
  state_->work.clear();
  state_->changed.notify_all();
}

void HelperThread::run(std::function<void()> work) {
  std::lock_guard lock(state_->mutex);
  state_->work.push_back(std::move(work));
  state_->changed.notify_one();
}

} // namespace kiln
