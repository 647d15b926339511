// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A queue of launches on the CPU, run in order on the executor's threads. A stream that waits for another
// stream's event occupies no thread.
#pragma once

#include "checker.h"
#include "executor.h"

#include <condition_variable>

namespace kiln {

class HostStream;

/// A point in a stream. `recorded` counts the requested records, `reached` the reached ones.
class HostEvent {
public:
  uint64_t record();     ///< requests a record; returns its number
  uint64_t last() const; ///< number of the last request; 0: none
  void reach(uint64_t number);
  bool has_reached(uint64_t number) const;
  void wait(uint64_t number) const;
  /// Returns true if the record was reached. Otherwise wakes `stream` when it is.
  bool reached_or_wake(uint64_t number, HostStream &stream);
  std::optional<std::chrono::steady_clock::time_point> time()
      const; ///< time of the last record; none: no record, or not reached

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

/// A failed launch, and the owners of everything that its outcome points to.
struct FailedLaunch {
  Result<void> status; ///< result of Executor::run
  LaunchOutcome outcome;
  std::shared_ptr<const void> code;
  std::shared_ptr<AccessChecker> checker;
};

/// A queue of launches. Thread-safe.
class HostStream {
public:
  explicit HostStream(std::shared_ptr<Executor> executor) : executor_(std::move(executor)) {}
  ~HostStream(); ///< waits until the stream is empty
  HostStream(const HostStream &) = delete;
  HostStream &operator=(const HostStream &) = delete;

  /// Enqueues a launch that passed Executor::check. Copies the argument bytes: sizes[i] bytes for argument i.
  /// Holds `code` until the launch has run.
  void launch(const KernelLaunch &launch, std::span<const void *const> arguments,
              std::span<const uint64_t> sizes, std::shared_ptr<const void> code,
              std::shared_ptr<AccessChecker> checker);
  /// Calls work(to, from, bytes) after the items before it.
  using Work = void (*)(void *to, const void *from, uint64_t bytes);
  void task(Work work, void *to, const void *from, uint64_t bytes);
  void record(std::shared_ptr<HostEvent> event);
  void wait(std::shared_ptr<HostEvent> event);
  bool idle() const;
  /// Waits until the stream is empty. Returns the first launch that failed since the last call.
  std::optional<FailedLaunch> synchronize();
  void wait_until_idle(); ///< a failed launch is kept for synchronize()
  void wake();            ///< called by the event that it waits for

private:
  struct Item {
    enum class Kind { Launch, Task, Record, Wait } kind{};
    KernelLaunch launch;
    std::vector<std::max_align_t> bytes; ///< argument bytes, each aligned for any type
    std::vector<void *> pointers;
    std::shared_ptr<const void> code;
    std::shared_ptr<AccessChecker> checker;
    std::shared_ptr<HostEvent> event;
    uint64_t number = 0; ///< number of the event record, bytes of a task, or Executor::interrupts of a launch
    Work work = nullptr;
    void *to = nullptr;
    const void *from = nullptr;
  };
  Item &claim_back(); ///< adds an item at the end; call under the mutex
  /// Publishes the claimed item. Unlocks the mutex first: an executor may run the stream inside the
  /// notification.
  void publish_back(std::unique_lock<std::mutex> &lock);
  void run();
  void run(Item &item);

  const std::shared_ptr<Executor> executor_;
  mutable std::mutex mutex_;
  mutable std::condition_variable emptied_;
  std::vector<std::unique_ptr<Item>> ring_; ///< reuses items for their memory
  size_t first_ = 0, count_ = 0;
  bool running_ = false; ///< has a thread, waits for one, or waits for an event
  std::optional<FailedLaunch> failed_;
};

} // namespace kiln
