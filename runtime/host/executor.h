// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs grids on the CPU: blocks in parallel on oneTBB or the embedder's executor, the threads of a block in
// turns.
#pragma once

#include <kiln/abi.h>
#include <kiln/device.h>
#include <kiln/executor.h>
#include <kiln/result.h>
#include <support/stop_state.h>

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kiln {

/// Limits of a launch, as CUDA's devices have them.
inline constexpr uint64_t max_threads_per_block = 1024;
inline constexpr uint64_t max_shared_bytes = 227 * 1024;
inline constexpr std::array<uint32_t, 3> max_block_dims{1024, 1024, 64};
inline constexpr std::array<uint32_t, 3> max_grid_dims{0x7fffffff, 65535, 65535};
/// Static and dynamic shared memory of a block; what does not fit anyway may be cut.
uint64_t shared_bytes_of_block(const LaunchShape &shape, uint64_t static_shared_bytes);
/// What the blocks of a grid that waits as a whole may take.
inline constexpr uint64_t max_resident_bytes = uint64_t(1) << 30;

/// Threads of a block that wait for each other for ever: the places where they wait, in the order of their
/// first threads.
struct Deadlock {
  struct Place {
    const abi::WaitSite *site; ///< in the kernel's code
    uint32_t barrier, mask;    ///< of barriers with a number; of operations of a warp
    bool outside_mask;         ///< some of the threads are not in `mask`
    uint32_t threads;
    std::array<uint32_t, 3> first; ///< index of the first, 0-based
  };
  std::array<uint32_t, 3> block{};
  uint32_t ended = 0; ///< threads of the block that have ended
  std::vector<Place> places;
};

/// Where a thread was when it found that the launch had outlived its time limit, or was stopped.
struct Overdue {
  bool found = false;
  const char *location = nullptr; ///< in the kernel's code, as ExceptionRecord's; null: not known
  std::array<uint32_t, 3> thread{}, block{};
};

/// How the kernel's own part of a launch ended.
struct LaunchOutcome {
  abi::ExceptionRecord exception{}; ///< the first one; it ended its own thread only
  std::optional<Deadlock> deadlock; ///< the first one; it ended its block, and blocks that had not begun
  Overdue overdue;                  ///< one of the threads; all ended
  bool stopped = false;             ///< by its stop source; threads that had not begun never do
  bool ended_well() const { return !exception.status && !deadlock && !overdue.found && !stopped; }
};

class AccessChecker;

/// Is told how long launches ran.
class LaunchClock {
public:
  /// `start`, `end`: on the steady clock, in nanoseconds. Any thread.
  virtual void ran(const Artifact &kernel, uint64_t start, uint64_t end) = 0;

protected:
  ~LaunchClock() = default;
};

/// What is launched, and how.
struct KernelLaunch {
  abi::NativeKernel kernel = nullptr;
  LaunchShape shape;
  std::span<void *const> arguments; ///< arguments[i] points to the i-th parameter's bytes
  uint64_t static_shared_bytes = 0;
  bool blocks_along_y = false;            ///< Artifact::blocks_along_y
  std::chrono::nanoseconds time_limit{0}; ///< of an interruptible kernel; 0: none
  bool is_interruptible = false;          ///< its loops look at NativeThread::stop
  StopToken stop = {};
  AccessChecker *checker = nullptr;   ///< of a checked kernel
  LaunchClock *clock = nullptr;       ///< null: nobody wants to know
  const Artifact *artifact = nullptr; ///< for the clock
};

struct ExecutorOptions {
  unsigned threads = 0; ///< that run blocks; 0: as oneTBB has them
  uint64_t order = 0;   ///< other than 0: blocks run in an order that follows from this
  /// How long all threads that are left of a launch may do nothing but read what nobody writes; then it ends
  /// as a deadlock.
  std::chrono::milliseconds idle_limit{2000};
  /// Runs work in the embedder's arena; empty: in one of the executor's own. See SessionOptions::cpu_arena.
  std::function<void(const std::function<void()> &)> arena = {};
  /// Runs all of it in place of oneTBB; then `threads` and `arena` do not count. Null: oneTBB.
  std::shared_ptr<CpuExecutor> executor = {};
};

/// Thread-safe. Keeps the memory of blocks for the next launches.
class Executor {
public:
  explicit Executor(const ExecutorOptions &options = {});
  ~Executor();
  /// check_shape (launch_limits.h) with the CPU's limits.
  static Result<void> check(const LaunchShape &shape, uint64_t static_shared_bytes);
  static const DeviceLimits &limits();
  unsigned threads() const; ///< that run blocks
  /// The owner in whose CallbackScope threads run blocks: a host function may not wait for other launches.
  const void *owner() const { return state_.get(); }
  /// The owner in whose CallbackScope threads run what streams hold, the embedder's executor included.
  const void *stream_owner() const { return &state_; }
  /// Runs every thread of the grid and waits. Errors: check's; Input, as LaunchError, where a grid waits for
  /// itself and its blocks do not fit; Usage for an embedder's executor that failed.
  Result<void> run(const KernelLaunch &launch, LaunchOutcome &outcome);
  Result<void> run(abi::NativeKernel kernel, const LaunchShape &shape, std::span<void *const> arguments,
                   uint64_t static_shared_bytes, LaunchOutcome &outcome) {
    return run({.kernel = kernel,
                .shape = shape,
                .arguments = arguments,
                .static_shared_bytes = static_shared_bytes},
               outcome);
  }
  /// Ends the launches that run, which return InterruptException. Any thread; not for signal handlers.
  void interrupt();
  /// The number of calls of interrupt().
  uint64_t interrupts() const;
  /// Calls `work(context)` on one of the threads that run blocks, as soon as one is free; an embedder's
  /// executor may do so before it returns. The caller holds no lock that `work` takes.
  void enqueue(void (*work)(void *), void *context);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Runs a plain function once; `result` has space for what it returns, and keeps its bytes if it throws or is
/// stopped. Error: Stopped.
Result<void> run_function(abi::NativeFunction function, std::span<void *const> arguments, void *result,
                          abi::ExceptionRecord &record, const StopToken &stop = {});

// What compiled code calls (kiln/abi.h).
extern "C" [[noreturn]] void kiln_native_throw(abi::NativeThread *thread);
extern "C" void *kiln_native_frames(abi::NativeThread *thread, uint64_t frame_bytes, uint32_t threads);
extern "C" void kiln_native_rounds(abi::NativeThread *thread, void (*wake)(void *frame));
extern "C" uint32_t kiln_native_access(abi::NativeThread *thread, uint32_t index, const void *address,
                                       uint64_t bytes, const abi::AccessSite *site);
extern "C" void kiln_native_overdue(abi::NativeThread *thread, uint32_t index, const char *location);

} // namespace kiln
