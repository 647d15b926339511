// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs grids on the CPU. Blocks run in parallel on oneTBB or the embedder's executor; one host thread runs
// the threads of a block in turns.
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

/// Launch limits, equal to those of CUDA devices.
inline constexpr uint64_t max_threads_per_block = 1024;
inline constexpr uint64_t max_shared_bytes = 227 * 1024;
inline constexpr std::array<uint32_t, 3> max_block_dims{1024, 1024, 64};
inline constexpr std::array<uint32_t, 3> max_grid_dims{0x7fffffff, 65535, 65535};
/// Sum of static and dynamic shared memory of a block in bytes. Sums above the maximum may be inexact.
uint64_t shared_bytes_of_block(const LaunchShape &shape, uint64_t static_shared_bytes);
/// Maximum memory in bytes of a grid with grid-wide waits, whose blocks are all resident.
inline constexpr uint64_t max_resident_bytes = uint64_t(1) << 30;

/// A deadlock: threads of a block that wait for each other for ever. Places are ordered by their first
/// thread.
struct Deadlock {
  struct Place {
    const abi::WaitSite *site; ///< in the kernel's code
    uint32_t barrier, mask;    ///< barrier: number of a numbered barrier; mask: lanes of a warp operation
    bool outside_mask;         ///< a waiting thread is not in `mask`
    uint32_t threads;
    std::array<uint32_t, 3> first; ///< first thread, 0-based
  };
  std::array<uint32_t, 3> block{};
  uint32_t ended = 0; ///< ended threads of the block
  std::vector<Place> places;
};

/// Position of a thread that found the launch's time limit exceeded, or the launch stopped.
struct Overdue {
  bool found = false;
  const char *location = nullptr; ///< as ExceptionRecord::location; null: unknown
  std::array<uint32_t, 3> thread{}, block{};
};

/// Outcome of a launch: exceptions and failures of the kernel itself.
struct LaunchOutcome {
  abi::ExceptionRecord exception{}; ///< first exception; it ended only the thread that threw
  /// First deadlock; it ended its block, and blocks that had not begun did not run.
  std::optional<Deadlock> deadlock;
  Overdue overdue;      ///< one thread's position; all threads ended
  bool stopped = false; ///< the stop source ended the launch; blocks that had not begun did not run
  bool ended_well() const { return !exception.status && !deadlock && !overdue.found && !stopped; }
};

class AccessChecker;
class TieredCode;

/// Receives the run time of launches.
class LaunchClock {
public:
  /// Reports one launch. `start`, `end`: steady clock, in nanoseconds. Called on any thread.
  virtual void ran(const Artifact &kernel, uint64_t start, uint64_t end) = 0;

protected:
  ~LaunchClock() = default;
};

/// Kernel, shape, arguments and options of a launch.
struct KernelLaunch {
  abi::NativeKernel kernel = nullptr; ///< unused if `tiers` is set
  LaunchShape shape;
  std::span<void *const> arguments; ///< arguments[i] points to the bytes of parameter i
  uint64_t static_shared_bytes = 0;
  bool blocks_along_y = false;            ///< Artifact::blocks_along_y
  std::chrono::nanoseconds time_limit{0}; ///< for interruptible kernels; 0: none
  bool is_interruptible = false;          ///< its loops test NativeThread::stop
  StopToken stop = {};
  bool run_here = false;              ///< LaunchOptions::run_here: the blocks run on the stream's thread
  AccessChecker *checker = nullptr;   ///< for checked kernels
  LaunchClock *clock = nullptr;       ///< null: not timed
  const Artifact *artifact = nullptr; ///< for `clock`
  TieredCode *tiers = nullptr;        ///< the kernel's code, if it began in the first tier; else null
};

struct ExecutorOptions {
  unsigned threads = 0; ///< for blocks; 0: oneTBB's default
  uint64_t order = 0;   ///< seed for a reproducible random order of blocks; 0: order of block indices
  /// Maximum duration of idle spinning. A launch ends as a deadlock if, for this long, its live threads only
  /// read unchanged memory.
  std::chrono::milliseconds idle_limit{2000};
  /// Calls its argument inside the embedder's oneTBB arena (SessionOptions::cpu_arena). Empty: the executor
  /// has an arena of its own.
  std::function<void(const std::function<void()> &)> arena = {};
  /// Embedder's executor, which runs all work instead of oneTBB; `threads` and `arena` are then ignored.
  /// Null: oneTBB.
  std::shared_ptr<CpuExecutor> executor = {};
};

/// Runs launches on the CPU. Keeps the memory of blocks for later launches. Thread-safe.
class Executor {
public:
  explicit Executor(const ExecutorOptions &options = {});
  ~Executor();
  /// Applies check_shape (launch_limits.h) with the CPU's limits.
  static Result<void> check(const LaunchShape &shape, uint64_t static_shared_bytes);
  static const DeviceLimits &limits();
  unsigned threads() const; ///< number of threads for blocks
  /// CallbackScope owner for threads that run blocks. Host functions called there must not wait for other
  /// launches.
  const void *owner() const { return state_.get(); }
  /// CallbackScope owner for threads that run streams, including threads of the embedder's executor.
  const void *stream_owner() const { return &state_; }
  /// Runs every thread of the grid and waits. Errors: those of check(); Input (LaunchError) if the blocks of
  /// a grid with grid-wide waits do not fit into memory; Usage if the embedder's executor failed.
  Result<void> run(const KernelLaunch &launch, LaunchOutcome &outcome);
  Result<void> run(abi::NativeKernel kernel, const LaunchShape &shape, std::span<void *const> arguments,
                   uint64_t static_shared_bytes, LaunchOutcome &outcome) {
    return run({.kernel = kernel,
                .shape = shape,
                .arguments = arguments,
                .static_shared_bytes = static_shared_bytes},
               outcome);
  }
  /// Ends all running launches; they return InterruptException. Callable from any thread, but not from a
  /// signal handler.
  void interrupt();
  /// Number of interrupt() calls.
  uint64_t interrupts() const;
  /// Calls `work(context)` on a thread for blocks as soon as one is free. An embedder's executor may call
  /// `work` before enqueue() returns, so the caller must hold no lock that `work` takes.
  void enqueue(void (*work)(void *), void *context);

private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Calls a plain function once. `result` has space for its return value, and stays unchanged if the function
/// throws or is stopped. Error: Stopped.
Result<void> run_function(abi::NativeFunction function, std::span<void *const> arguments, void *result,
                          abi::ExceptionRecord &record, const StopToken &stop = {});

// Functions called by compiled code (kiln/abi.h).
extern "C" [[noreturn]] void kiln_native_throw(abi::NativeThread *thread);
extern "C" void *kiln_native_frames(abi::NativeThread *thread, uint64_t frame_bytes, uint32_t threads);
extern "C" void kiln_native_rounds(abi::NativeThread *thread, void (*wake)(void *frame));
extern "C" uint32_t kiln_native_access(abi::NativeThread *thread, uint32_t index, const void *address,
                                       uint64_t bytes, const abi::AccessSite *site);
extern "C" void kiln_native_overdue(abi::NativeThread *thread, uint32_t index, const char *location);

} // namespace kiln
