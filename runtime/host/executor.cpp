// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "executor.h"

#include "grid_launch.h"
#include "host_stack.h"
#include "interruption.h"
#include "watchdog.h"
#include "work_threads.h"

#include <fmt/format.h>
#include <support/support.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <numeric>
#include <ranges>
#include <thread>

namespace kiln {

namespace {

// SplitMix64's output function: neighbouring seeds give unrelated orders.
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

} // namespace

/// Number of polls of a spinning block before its host thread takes another block.
constexpr int spin_polls = 64;
/// Rounds over all spinning blocks without progress, after which the host thread sleeps between rounds.
constexpr uint32_t idle_rounds = 64;

struct Executor::State {
  explicit State(const ExecutorOptions &options)
      : order(options.order), idle_limit(options.idle_limit), work(options) {}
  ~State() {
    for (Slot &slot : slots) delete slot.block.load();
  }
  const uint64_t order;
  const std::chrono::milliseconds idle_limit;
  /// Keeps the last block that a host thread ran, since its memory is warm for the next block. Two threads
  /// rarely share a slot.
  struct alignas(64) Slot {
    std::atomic<Block *> block{nullptr}; ///< owned
    std::atomic<GridLaunch *> running{nullptr};
  };
  std::array<Slot, 64> slots;
  std::mutex spare_mutex;
  /// Blocks that were resident in a grid with grid-wide waits, kept for later launches.
  std::vector<BlockPtr> spare;
  std::mutex running_mutex;
  /// Running launches without a slot of their own; protected by running_mutex.
  std::vector<GridLaunch *> running;
  std::atomic<uint64_t> interrupts{0};
  Watchdog watchdog;
  WorkThreads work; ///< threads for blocks; last member, since they use the other members

  /// Registers a launch for interrupt(): in the slot of its thread, or in the list `running` if the slot is
  /// taken.
  class RunningLaunch {
  public:
    RunningLaunch(State &state, GridLaunch &launch)
        : state_(state), launch_(launch), slot_(state.slot_of_thread().running) {
      GridLaunch *none = nullptr;
      if (slot_.compare_exchange_strong(none, &launch_)) return;
      is_listed_ = true;
      std::lock_guard lock(state_.running_mutex);
      state_.running.push_back(&launch_);
    }
    ~RunningLaunch() {
      if (is_listed_) {
        std::lock_guard lock(state_.running_mutex);
        std::erase(state_.running, &launch_);
        return;
      }
      // interrupt() may hold the slot for an instant.
      for (GridLaunch *mine = &launch_; !slot_.compare_exchange_weak(mine, nullptr); mine = &launch_) {
      }
    }
    RunningLaunch(const RunningLaunch &) = delete;
    RunningLaunch &operator=(const RunningLaunch &) = delete;

  private:
    State &state_;
    GridLaunch &launch_;
    std::atomic<GridLaunch *> &slot_;
    bool is_listed_ = false;
  };
  void interrupt() {
    const auto stop = [](GridLaunch &launch) {
      launch.interrupted = true;
      launch.end();
    };
    std::lock_guard lock(running_mutex);
    ++interrupts;
    for (GridLaunch *launch : running) stop(*launch);
    // Marks a slot as locked; differs from the address of every launch.
    auto *const held = reinterpret_cast<GridLaunch *>(this);
    for (Slot &slot : slots) {
      GridLaunch *launch = slot.running.load();
      if (!launch || !slot.running.compare_exchange_strong(launch, held)) continue;
      stop(*launch);
      slot.running = launch;
    }
  }
  // Order: take_block's acquire pairs with give_back's release, so that the block's next thread sees what the
  // last one wrote. `running` is sequentially consistent: interrupt() either finds a launch, or the launch
  // begins after it.
  Slot &slot_of_thread() {
    static std::atomic<size_t> next{0};
    thread_local const size_t mine = next.fetch_add(1, std::memory_order_relaxed);
    return slots[mine % slots.size()];
  }
  BlockPtr take_block(GridLaunch &launch) {
    BlockPtr block(slot_of_thread().block.exchange(nullptr, std::memory_order_acquire));
    if (!block) {
      std::lock_guard lock(spare_mutex);
      if (!spare.empty()) {
        block = std::move(spare.back());
        spare.pop_back();
      }
    }
    if (!block) block = std::make_unique<Block>();
    launch.prepare(*block);
    block->abort.unwinding.lowest_frame = stack_limit_of_this_thread();
    return block;
  }
  void give_back(BlockPtr block) {
    block->end_tensor_memory();
    Block *none = nullptr;
    if (slot_of_thread().block.compare_exchange_strong(none, block.get(), std::memory_order_release))
      static_cast<void>(block.release()); // now owned by the slot
    else
      keep(std::move(block));
  }

  void run_range(GridLaunch &launch, uint64_t begin, uint64_t end) {
    const CallbackScope scope(this);
    while (begin < end && !launch.stopped) {
      BlockPtr taken = take_block(launch);
      Block &block = *taken;
      begin = run_blocks(launch, block, begin, end);
      if (launch.given.tiers && launch.given.tiers->wants_start()) launch.given.tiers->start();
      if (block.overdue.found) launch.end_overdue(block);
      if (block.status == Block::Status::Stuck) launch.stop(block);
      // A spinning block is polled before it is put aside: another host thread may be about to write its
      // variable.
      for (int i = 0; block.status == Block::Status::Spinning && !launch.stopped && !block.overdue.found;
           i++) {
        if (block.ran_long() ? launch.can_add(block) : i == spin_polls) break;
        std::this_thread::yield();
        resume(launch, block, &Block::poll);
        if (block.overdue.found) launch.end_overdue(block);
        if (block.status == Block::Status::Stuck) launch.stop(block);
      }
      const bool spins = block.status == Block::Status::Spinning;
      if (spins || block.status == Block::Status::AtGrid) {
        std::lock_guard lock(launch.mutex);
        launch.waiting_bytes += block.bytes();
        (spins ? launch.spinning : launch.waiting).push_back(std::move(taken));
        if (!launch.fits()) launch.stopped = true;
      } else {
        give_back(std::move(taken));
      }
    }
  }

  /// Polls the spinning blocks in turn until none is left. All other blocks have ended or wait at a grid
  /// barrier.
  void poll_spinning(GridLaunch &launch) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point moved = Clock::now();
    for (uint32_t idle = 0; !launch.spinning.empty() && !launch.stopped;) {
      std::atomic<bool> any{false};
      for_each(launch, launch.spinning.size(), [&](uint64_t begin, uint64_t end) {
        const CallbackScope scope(this);
        for (; begin < end && !launch.stopped; begin++) {
          Block &block = *launch.spinning[begin];
          block.abort.unwinding.lowest_frame = stack_limit_of_this_thread();
          resume(launch, block, &Block::poll);
          if (block.has_moved() || block.status != Block::Status::Spinning) any = true;
          if (block.overdue.found) launch.end_overdue(block);
          if (block.status == Block::Status::Stuck) launch.stop(block);
        }
      });
      auto left =
          std::stable_partition(launch.spinning.begin(), launch.spinning.end(),
                                [](const BlockPtr &b) { return b->status == Block::Status::Spinning; });
      for (auto block = left; block != launch.spinning.end(); ++block) {
        if ((*block)->status == Block::Status::AtGrid)
          launch.waiting.push_back(std::move(*block));
        else
          keep(std::move(*block));
      }
      launch.spinning.erase(left, launch.spinning.end());
      if (any) {
        moved = Clock::now();
        idle = 0;
      } else if (++idle > idle_rounds) {
        // No spinning block made progress. Only the host or another launch could still end the wait.
        if (Clock::now() - moved > idle_limit) return launch.stop(*launch.spinning.front());
        std::this_thread::sleep_for(std::chrono::microseconds(idle < 1000 ? 20 : 500));
      }
    }
  }

  template <class F> void for_each(GridLaunch &launch, uint64_t count, F run) {
    Result<void> done = launch.given.run_here ? work.run_here(count, run) : work.for_each(count, run);
    if (done.ok()) return;
    launch.stopped = true;
    if (!launch.failed) launch.failed = done.take_error();
  }

  /// Opens the grid barrier each time all live blocks wait at it.
  void pass_grid_barriers(GridLaunch &launch) {
    while (!(launch.waiting.empty() && launch.spinning.empty()) && !launch.stopped) {
      poll_spinning(launch);
      if (launch.waiting.empty() || launch.stopped) break;
      for_each(launch, launch.waiting.size(), [&](uint64_t begin, uint64_t end) {
        const CallbackScope scope(this);
        for (; begin < end && !launch.stopped; begin++) {
          Block &block = *launch.waiting[begin];
          block.abort.unwinding.lowest_frame =
              stack_limit_of_this_thread(); // another thread may have started the block
          resume(launch, block, &Block::resume);
          if (block.overdue.found) launch.end_overdue(block);
          if (block.status == Block::Status::Stuck) launch.stop(block);
        }
      });
      auto ended = std::stable_partition(launch.waiting.begin(), launch.waiting.end(),
                                         [](const BlockPtr &b) { return b->status != Block::Status::Done; });
      keep(launch, size_t(ended - launch.waiting.begin()));
      auto spins = std::stable_partition(launch.waiting.begin(), launch.waiting.end(), [](const BlockPtr &b) {
        return b->status != Block::Status::Spinning;
      });
      std::move(spins, launch.waiting.end(), std::back_inserter(launch.spinning));
      launch.waiting.erase(spins, launch.waiting.end());
    }
    keep(launch, 0);
  }
  Result<void> run_grid(const KernelLaunch &given, LaunchOutcome &outcome, uint64_t depth,
                        std::vector<DeviceLaunch> &pending);
  /// Gives the waiting blocks from index `first` on back for use by other launches.
  void keep(GridLaunch &launch, size_t first) {
    for (size_t i = first; i < launch.waiting.size(); i++) keep(std::move(launch.waiting[i]));
    launch.waiting.resize(first);
    if (first) return;
    for (BlockPtr &block : launch.spinning) keep(std::move(block));
    launch.spinning.clear();
  }
  void keep(BlockPtr block) {
    block->end_tensor_memory();
    block->free_tensor_memory(); // free it now: few kernels use tensor memory
    constexpr size_t max_spare = 256;
    std::lock_guard lock(spare_mutex);
    if (spare.size() < max_spare) spare.push_back(std::move(block));
  }
};

Executor::Executor(const ExecutorOptions &options) : state_(std::make_unique<State>(options)) {}
Executor::~Executor() = default;

unsigned Executor::threads() const { return state_->work.threads(); }

/// Runs one grid. Grids that it launched are appended to `pending` in reverse order, so that the next one is
/// last.
Result<void> Executor::State::run_grid(const KernelLaunch &given, LaunchOutcome &outcome, uint64_t depth,
                                       std::vector<DeviceLaunch> &pending) {
  const LaunchShape &shape = given.shape;
  uint64_t shared = shared_bytes_of_block(shape, given.static_shared_bytes);
  GridLaunch launch{.given = given,
                    .shape = shape,
                    .outcome = outcome,
                    .blocks = uint64_t(shape.blocks[0]) * shape.blocks[1] * shape.blocks[2],
                    .threads = shape.threads[0] * shape.threads[1] * shape.threads[2],
                    .shared_bytes = shared,
                    .step = 1,
                    .start = 0,
                    .pending = depth + pending.size(),
                    .depth = depth};
  if (order) {
    launch.start = mixed(order) % launch.blocks;
    launch.step = mixed(order + 1) % launch.blocks;
    while (std::gcd(launch.step, launch.blocks) != 1) launch.step++;
    if (launch.step == 1) launch.step += launch.blocks;
  }
  const RunningLaunch registered(*this, launch);
  const StopWatch watch(
      given.stop,
      [](void *of) {
        static_cast<GridLaunch *>(of)->is_stopped_by_source = true;
        static_cast<GridLaunch *>(of)->end();
      },
      &launch);
  std::optional<Watchdog::Guard> limit;
  if (given.time_limit.count() > 0) limit.emplace(watchdog, given.time_limit, launch.overdue);
  for_each(launch, launch.blocks, [&](uint64_t begin, uint64_t end) { run_range(launch, begin, end); });
  bool fits = launch.fits();
  if (!fits)
    keep(launch, 0);
  else
    pass_grid_barriers(launch);
  if (launch.failed) return std::move(*launch.failed);
  if (launch.interrupted) return interrupt_error();
  outcome.stopped = launch.is_stopped_by_source;
  if (!fits && outcome.ended_well())
    return make_error(
        ErrorCode::LaunchError,
        fmt::format(
            "a grid of {} blocks waits for all of them, and they do not fit: they need more than {} MB",
            launch.blocks, max_resident_bytes >> 20),
        {}, "launch fewer blocks, each of which does more");
  std::ranges::stable_sort(launch.launched, {}, &DeviceLaunch::block);
  std::ranges::move(launch.launched | std::views::reverse, std::back_inserter(pending));
  return {};
}

namespace {

class TimedRun {
public:
  explicit TimedRun(const KernelLaunch &launch) : launch_(launch), start_(launch.clock ? Timer::now() : 0) {}
  ~TimedRun() {
    if (launch_.clock) [[unlikely]]
      launch_.clock->ran(*launch_.artifact, start_, Timer::now());
  }
  TimedRun(const TimedRun &) = delete;
  TimedRun &operator=(const TimedRun &) = delete;

private:
  const KernelLaunch &launch_;
  const uint64_t start_;
};

} // namespace

Result<void> Executor::run(const KernelLaunch &given, LaunchOutcome &outcome) {
  KILN_CHECK(check(given.shape, given.static_shared_bytes));
  std::chrono::steady_clock::time_point end;
  if (given.time_limit.count() > 0) end = std::chrono::steady_clock::now() + given.time_limit;
  const TimedRun timed(given);
  std::vector<DeviceLaunch> pending;
  KILN_CHECK(state_->run_grid(given, outcome, 0, pending));
  while (!pending.empty() && !outcome.deadlock && !outcome.overdue.found && !outcome.stopped) {
    const DeviceLaunch next = std::move(pending.back());
    pending.pop_back();
    KernelLaunch launch = given;
    launch.tiers = nullptr; // child kernels are part of their parent's code
    launch.kernel = next.kernel;
    launch.shape = next.shape;
    launch.arguments = next.arguments;
    launch.blocks_along_y = false; // the preferred order of blocks is unknown for kernels launched by kernels
    if (given.time_limit.count() > 0)
      launch.time_limit = std::max<std::chrono::nanoseconds>(end - std::chrono::steady_clock::now(),
                                                             std::chrono::nanoseconds(1));
    KILN_CHECK(state_->run_grid(launch, outcome, next.depth, pending));
  }
  return {};
}

void Executor::interrupt() {
  start_interruptions();
  state_->interrupt();
  interrupt_compiled_code();
}

uint64_t Executor::interrupts() const { return state_->interrupts.load(std::memory_order_relaxed); }

void Executor::enqueue(void (*work)(void *), void *context) { state_->work.enqueue(work, context); }

} // namespace kiln
