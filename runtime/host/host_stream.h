// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue of launches on the CPU: one after the other, on the executor's threads. A stream that waits for
// another's event occupies no thread.
#pragma once

#include "checker.h"
#include "executor.h"

#include <condition_variable>

namespace kiln {

class HostStream;

/// A moment in a stream. `recorded` counts the records that were asked for, `reached` those that have come.
class HostEvent {
public:
  uint64_t record();     ///< one more is asked for; its number
  uint64_t last() const; ///< of the last one asked for; 0: none
  void reach(uint64_t number);
  bool has_reached(uint64_t number) const;
  void wait(uint64_t number) const;
  /// Whether it has come; if not, `stream` is woken when it does.
  bool reached_or_wake(uint64_t number, HostStream &stream);
  std::optional<std::chrono::steady_clock::time_point> time()
      const; ///< of the last record; none: not yet, or none asked for

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  uint64_t recorded_ = 0, reached_ = 0;
  std::chrono::steady_clock::time_point at_;
  struct Sleeper {
    uint64_t number;
    HostStream *stream;
  };
  std::vector<Sleeper> sleepers_;
};

/// A launch that did not end well, and what its outcome points to.
struct FailedLaunch {
  Result<void> status; ///< of Executor::run
  LaunchOutcome outcome;
  std::shared_ptr<const void> code;
  std::shared_ptr<AccessChecker> checker;
};

/// Thread-safe.
class HostStream {
public:
  explicit HostStream(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}
  ~HostStream(); ///< waits for what is in it
  HostStream(const HostStream &) = delete;
  HostStream &operator=(const HostStream &) = delete;

  /// `launch` as Executor::check allows it; its arguments' bytes, sizes[i] for the i-th, are copied. `code`
  /// is held until it has run.
  void launch(const KernelLaunch &launch, std::span<const void *const> arguments,
              std::span<const uint64_t> sizes, std::shared_ptr<const void> code,
              std::shared_ptr<AccessChecker> checker);
  /// Calls work(to, from, bytes) when what is in front of it is done.
  using Work = void (*)(void *to, const void *from, uint64_t bytes);
  void task(Work work, void *to, const void *from, uint64_t bytes);
  void record(std::shared_ptr<HostEvent> event);
  void wait(std::shared_ptr<HostEvent> event);
  bool idle() const;
  /// Until the stream is empty; the first launch that failed since the last call.
  std::optional<FailedLaunch> synchronize();
  void wait_until_idle(); ///< leaves the launch that failed to synchronize()
  void wake();            ///< by the event that it sleeps on

private:
  struct Item {
    enum class Kind { Launch, Task, Record, Wait } kind{};
    KernelLaunch launch;
    std::vector<std::max_align_t> bytes; ///< of the arguments, each aligned for any type
    std::vector<void *> pointers;
    std::shared_ptr<const void> code;
    std::shared_ptr<AccessChecker> checker;
    std::shared_ptr<HostEvent> event;
    uint64_t number = 0; ///< of the event's record; of a task's bytes; of a launch, Executor::interrupts
    Work work = nullptr;
    void *to = nullptr;
    const void *from = nullptr;
  };
  Item &claim_back(); ///< the place behind the last item; under the mutex
  /// It is filled. Unlocks the mutex: an executor may run the stream before it returns from being told.
  void publish_back(std::unique_lock<std::mutex> &lock);
  void run();
  void run(Item &item);

  const std::shared_ptr<Executor> executor_;
  mutable std::mutex mutex_;
  mutable std::condition_variable emptied_;
  std::vector<std::unique_ptr<Item>> ring_; ///< items are kept for their memory
  size_t first_ = 0, count_ = 0;
  bool running_ = false; ///< it has a thread, or waits for one, or sleeps on an event
  std::optional<FailedLaunch> failed_;
};

} // namespace kiln
