// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The agent's event loop: one thread with epoll and timers, and a mailbox to which helper threads post their
// results.
#pragma once

#include <support/descriptor.h>
#include <support/support.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace kiln {

using SteadyTime = std::chrono::steady_clock::time_point;

/// List of functions for the loop's thread, to which other threads add. Thread-safe. Helper threads share
/// ownership, so that it may outlive the loop.
class Mailbox {
public:
  explicit Mailbox(OwnedDescriptor wake) : wake_(std::move(wake)) {}
  void post(std::function<void()> work);
  std::vector<std::function<void()>> take();
  int descriptor() const { return wake_.get(); } ///< readable while there is work

private:
  const OwnedDescriptor wake_; ///< an eventfd
  std::mutex mutex_;
  std::vector<std::function<void()>> work_;
};

/// Runs callbacks for descriptors and timers. Used by one thread, except for mailbox().
class EventLoop {
public:
  /// `events`: bits of epoll (EPOLLIN, EPOLLOUT, EPOLLERR, EPOLLHUP).
  using Ready = std::function<void(uint32_t events)>;
  using TimerId = uint64_t; ///< 0: no timer

  /// Error (Machine): no free descriptors.
  static Result<std::unique_ptr<EventLoop>> make();

  /// Calls `ready` whenever one of `events` occurs at the descriptor. Replaces an earlier watch of the
  /// descriptor.
  void watch(int descriptor, uint32_t events, Ready ready);
  /// Changes the events of a watched descriptor.
  void set_events(int descriptor, uint32_t events);
  /// Stops watching a descriptor. Call it before the descriptor is closed.
  void unwatch(int descriptor);

  TimerId after(std::chrono::nanoseconds delay, std::function<void()> work);
  /// Cancels a timer and sets `timer` to 0. Does nothing if the timer has already run.
  void cancel(TimerId &timer);
  /// Calls `work` after the current callback has returned.
  void defer(std::function<void()> work) { deferred_.push_back(std::move(work)); }
  const std::shared_ptr<Mailbox> &mailbox() const { return mailbox_; }

  /// Runs callbacks until stop().
  void run();
  void stop() { is_stopped_ = true; }
  static SteadyTime now() { return std::chrono::steady_clock::now(); }

private:
  struct Watch {
    uint32_t generation, events;
    std::shared_ptr<Ready> ready; ///< shared, since a callback may stop its own watch
  };
  explicit EventLoop(OwnedDescriptor epoll, std::shared_ptr<Mailbox> mailbox);
  void run_deferred();
  void run_timers();
  int milliseconds_to_next() const;

  const OwnedDescriptor epoll_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::unordered_map<int, Watch> watches_;
  uint32_t next_generation_ = 1; ///< tells watches of a reused descriptor number apart
  std::map<std::pair<SteadyTime, TimerId>, std::function<void()>> timers_;
  std::unordered_map<TimerId, SteadyTime> timer_times_;
  TimerId next_timer_ = 1;
  std::vector<std::function<void()>> deferred_;
  bool is_stopped_ = false;
};

/// A thread for calls that block: files on a network file system, name resolution. A call that hangs blocks
/// the thread for ever. The destructor then leaves the thread behind.
class HelperThread {
public:
  HelperThread();
  ~HelperThread();
  HelperThread(const HelperThread &) = delete;
  HelperThread &operator=(const HelperThread &) = delete;
  void run(std::function<void()> work);

private:
  struct State;
  const std::shared_ptr<State> state_;
};

} // namespace kiln
