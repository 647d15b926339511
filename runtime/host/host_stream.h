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

/// An event that streams record. `recorded_` counts requested records, `reached_` is the last one that a
/// stream reached.
class HostEvent {
public:
  uint64_t record();     ///< requests a record; returns the record's number
  uint64_t last() const; ///< number of the last requested record; 0: none
  void reach(uint64_t number);
  bool has_reached(uint64_t number) const;
  void wait(uint64_t number) const;
  /// Returns true if the record was reached. Otherwise returns false, and calls stream.wake() at that moment.
  bool reached_or_wake(uint64_t number, HostStream &stream);
  std::optional<std::chrono::steady_clock::time_point> time()
      const; ///< time at which the last record was reached; none: no record, or not reached

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

/// A failed launch, with owners of everything that its outcome points to.
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
  /// The stream holds `code` until the launch has run. A launch with KernelLaunch::run_here runs on this
  /// thread if the stream is idle.
  void launch(const KernelLaunch &launch, std::span<const void *const> arguments,
              std::span<const uint64_t> sizes, std::shared_ptr<const void> code,
              std::shared_ptr<AccessChecker> checker);
  /// Enqueues a call of work(to, from, bytes), which runs after earlier items. A call for few bytes runs on
  /// this thread if the stream is idle.
  using Work = void (*)(void *to, const void *from, uint64_t bytes);
  void task(Work work, void *to, const void *from, uint64_t bytes);
  void record(std::shared_ptr<HostEvent> event);
  void wait(std::shared_ptr<HostEvent> event);
  bool idle() const;
  /// Waits until the stream is empty. Returns the first launch that failed since the last synchronize().
  std::optional<FailedLaunch> synchronize();
  void wait_until_idle(); ///< waits, but leaves a failed launch for synchronize() to report
  void wake();            ///< called by the event for which this stream waits

private:
  struct Item {
    enum class Kind { Launch, Task, Record, Wait } kind{};
    KernelLaunch launch;
    std::vector<std::max_align_t> bytes; ///< bytes of the arguments, each argument aligned for any type
    std::vector<void *> pointers;
    std::shared_ptr<const void> code;
    std::shared_ptr<AccessChecker> checker;
    std::shared_ptr<HostEvent> event;
    /// Record and Wait: number of the event record; Task: bytes; Launch: Executor::interrupts.
    uint64_t number = 0;
    Work work = nullptr;
    void *to = nullptr;
    const void *from = nullptr;
  };
  Item &claim_back(); ///< appends an empty item; call under the mutex
  /// Publishes the item of claim_back(). Unlocks the mutex before the notification, since an executor may run
  /// the stream inside of that call. `run_here`: this thread runs the stream if it is idle.
  void publish_back(std::unique_lock<std::mutex> &lock, bool run_here);
  void run();
  void run(Item &item);

  const std::shared_ptr<Executor> executor_;
  mutable std::mutex mutex_;
  mutable std::condition_variable emptied_;
  std::vector<std::unique_ptr<Item>> ring_; ///< reuses items for their memory
  size_t first_ = 0, count_ = 0;
  bool running_ = false; ///< the stream runs on a thread, waits for a thread, or waits for an event
  std::optional<FailedLaunch> failed_;
};

} // namespace kiln
