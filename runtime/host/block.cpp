// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "block.h"

#include <algorithm>
#include <bit>

namespace kiln {

using abi::WaitKind;

namespace {

constexpr uint32_t warp_size = 32;
constexpr uint32_t counted_rounds = 64;
constexpr uint32_t rounds_per_clock = 1024;
constexpr uint32_t warp_operations = 256; ///< per turn of a warp
constexpr std::chrono::milliseconds long_run{100};
constexpr uint32_t barriers = 16; ///< number of barriers of a block; PTX numbers them 0 to 15

bool is_barrier(WaitKind kind) { return kind == WaitKind::Barrier || kind == WaitKind::BarrierId; }
uint32_t barrier_id(const abi::Wait &wait) { return wait.site->kind == WaitKind::Barrier ? 0 : wait.lane; }
template <class F> void for_lanes(uint32_t lanes, F &&f) {
  for (; lanes; lanes &= lanes - 1) f(uint32_t(std::countr_zero(lanes)));
}

} // namespace

void *Block::frames(uint64_t frame_bytes, uint32_t threads) {
  frame_bytes_ = frame_bytes;
  threads_ = threads;
  if (waits_.size() < threads) waits_.resize(threads);
  idle_turns_.assign(threads, 0);
  state.waits = waits_.data();
  return frames_memory_ = frames_.reserve(frame_bytes * threads);
}

void Block::run(void (*wake)(void *)) {
  wake_ = wake;
  first_live_ = ended_ = 0;
  passed_ = false;
  rounds();
}

void Block::resume() {
  if (shadow) shadow->pass_barrier();
  for (uint32_t t = 0; t < threads_; t++)
    if (waits_[t].site && waits_[t].site->kind == WaitKind::Grid) wake(t);
  rounds();
}

void Block::wake_all() {
  if (shadow) shadow->pass_barrier();
  for (uint32_t t = first_live_; t < threads_; t++)
    if (waits_[t].site) wake(t);
}

bool Block::all_at(const abi::WaitSite *site, uint32_t first) const {
  for (uint32_t t = first; t < threads_; t++)
    if (waits_[t].site != site && waits_[t].site) return false;
  return true;
}

void Block::rounds() {
  uint32_t counted = 0;
  rounds_ = 0;
  begin_ = {};
  ran_long_ = false;
  for (;;) {
    while (first_live_ < threads_ && !waits_[first_live_].site) first_live_++;
    if (first_live_ == threads_) {
      status = Status::Done;
      return;
    }
    if (++rounds_ == rounds_per_clock && has_run_long()) {
      moved_ = ran_long_ = true;
      status = Status::Spinning;
      return;
    }
    const abi::WaitSite *site = waits_[first_live_].site;
    if (site->kind == WaitKind::Barrier && all_at(site, first_live_)) {
      wake_all();
      passed_ = true;
      continue;
    }
    if (advance_warps() || pass_barrier()) {
      passed_ = true;
      continue;
    }
    if (Spins spins = judge_spinners(); spins != Spins::None) {
      moved_ |= spins != Spins::Idle;
      // Counted spins: the number of rounds is limited, since other blocks need the host thread too.
      counted = spins == Spins::Counted ? counted + 1 : 0;
      if (spins == Spins::Moved || (spins == Spins::Counted && counted < counted_rounds)) {
        wake_spinners();
        continue;
      }
      status = Status::Spinning;
      return;
    }
    bool at_grid = std::any_of(waits_.begin() + first_live_, waits_.begin() + threads_,
                               [](const abi::Wait &w) { return w.site && w.site->kind == WaitKind::Grid; });
    status = at_grid ? Status::AtGrid : Status::Stuck;
    return;
  }
}

void Block::poll() {
  wake_spinners();
  rounds();
}

bool Block::has_run_long() {
  rounds_ = 0;
  const auto now = std::chrono::steady_clock::now();
  if (begin_ == std::chrono::steady_clock::time_point()) begin_ = now;
  return now - begin_ > long_run;
}

/// Runs each warp until its lanes wait for other warps, or for a limited number of operations. Returns true
/// if a lane made progress.
bool Block::advance_warps() {
  bool moved = false;
  for (uint32_t first = 0; first < threads_; first += warp_size)
    for (uint32_t done = 0; done < warp_operations && advance_warp(first); done++) moved = true;
  return moved;
}

bool Block::advance_warp(uint32_t first) {
  uint32_t live = 0, active = 0;
  for (uint32_t lane = 0; lane < std::min(warp_size, threads_ - first); lane++)
    if (waits_[first + lane].site) live |= 1u << lane;
  for (uint32_t left = live; left;) {
    uint32_t lane = uint32_t(std::countr_zero(left));
    const abi::Wait &wait = waits_[first + lane];
    WaitKind kind = wait.site->kind;
    if (kind < WaitKind::SyncWarp) {
      left &= left - 1;
      if (kind == WaitKind::ActiveMask) active |= 1u << lane;
      continue;
    }
    uint32_t here = 0;
    for_lanes(left, [&](uint32_t other) {
      const abi::Wait &w = waits_[first + other];
      if (w.site->kind == kind && w.mask == wait.mask) here |= 1u << other;
    });
    left &= ~here;
    // Ended lanes are not waited for. A lane that is missing in its own mask waits for ever.
    if (here != (wait.mask & live)) continue;
    perform(kind, first, here);
    if (shadow && kind == WaitKind::SyncWarp) shadow->sync_warp(first / warp_size);
    wake_lanes(first, here);
    return true;
  }
  return active && advance_active(first, active);
}

/// Serves lanes that wait for the mask of active lanes. Called only when no other wait of the warp can end.
/// Lanes at the earliest place in the program go first, since they may catch up with the rest.
bool Block::advance_active(uint32_t first, uint32_t waiting) {
  uint32_t at = UINT32_MAX, lanes = 0;
  for_lanes(waiting, [&](uint32_t lane) { at = std::min(at, waits_[first + lane].site->index); });
  for_lanes(waiting,
            [&](uint32_t lane) { lanes |= waits_[first + lane].site->index == at ? 1u << lane : 0; });
  for_lanes(lanes, [&](uint32_t lane) { waits_[first + lane].value = lanes; });
  wake_lanes(first, lanes);
  return true;
}

void Block::perform(WaitKind kind, uint32_t first, uint32_t lanes) {
  uint64_t values[warp_size] = {};
  for_lanes(lanes, [&](uint32_t lane) { values[lane] = waits_[first + lane].value; });
  auto with = [&](auto &&predicate) {
    uint64_t mask = 0;
    for_lanes(lanes, [&](uint32_t lane) { mask |= predicate(values[lane]) ? uint64_t(1) << lane : 0; });
    return mask;
  };
  uint64_t ballot = with([](uint64_t value) { return value != 0; });
  for_lanes(lanes, [&](uint32_t lane) {
    abi::Wait &wait = waits_[first + lane];
    uint64_t same = kind == WaitKind::MatchAny || kind == WaitKind::MatchAll
                        ? with([&](uint64_t value) { return value == values[lane]; })
                        : 0;
    if (kind == WaitKind::Shuffle)
      wait.value = wait.lane < warp_size && (lanes >> wait.lane & 1) ? values[wait.lane] : values[lane];
    if (kind == WaitKind::Ballot) wait.value = ballot;
    if (kind == WaitKind::MatchAny) wait.value = same;
    if (kind == WaitKind::MatchAll) wait.value = same == lanes ? same : 0;
  });
}

void Block::wake_lanes(uint32_t first, uint32_t lanes) {
  for_lanes(lanes, [&](uint32_t lane) { wake(first + lane); });
}

/// Opens the barrier if all live threads wait at it. Barriers match by number; for sync_threads the call site
/// must match too.
bool Block::pass_barrier() {
  const abi::WaitSite *place = nullptr;
  uint32_t id = UINT32_MAX;
  for (uint32_t t = first_live_; t < threads_; t++) {
    const abi::Wait &wait = waits_[t];
    if (!wait.site) continue;
    if (!is_barrier(wait.site->kind)) return false;
    if (id == UINT32_MAX) id = barrier_id(wait);
    if (barrier_id(wait) != id || id >= barriers) return false;
    if (wait.site->kind != WaitKind::Barrier) continue;
    if (place && place != wait.site) return false;
    place = wait.site;
  }
  wake_all();
  return true;
}

/// Wakes each thread that waits in a spin loop, so that it reads its variable again.
void Block::wake_spinners() {
  for (uint32_t t = first_live_; t < threads_; t++)
    if (const abi::Wait &wait = waits_[t]; wait.site && wait.site->kind == WaitKind::Spin) wake(t);
}

/// Classifies the progress of spinning threads since the last call. The result is Idle only if every spinning
/// thread took one idle turn and no other thread did anything.
Block::Spins Block::judge_spinners() {
  Spins found = Spins::None;
  bool others_moved = false;
  uint32_t ended = 0;
  for (uint32_t t = 0; t < threads_; t++) {
    const abi::Wait &wait = waits_[t];
    if (!wait.site) {
      ended++;
    } else if (wait.site->kind != WaitKind::Spin) {
      others_moved |= passed_;
    } else {
      const uint64_t before = std::exchange(idle_turns_[t], wait.value);
      found = std::max(found, !wait.value && !before               ? Spins::Counted
                              : before && wait.value == before + 1 ? Spins::Idle
                                                                   : Spins::Moved);
    }
  }
  others_moved |= std::exchange(ended_, ended) != ended;
  passed_ = false;
  return found != Spins::None && others_moved ? Spins::Moved : found;
}

Deadlock Block::deadlock() const {
  Deadlock found;
  std::copy(std::begin(state.block), std::end(state.block), found.block.begin());
  uint32_t width = state.block_dim[0], height = state.block_dim[1];
  for (uint32_t t = 0; t < threads_; t++) {
    const abi::Wait &wait = waits_[t];
    if (!wait.site) {
      found.ended++;
      continue;
    }
    uint32_t number = wait.site->kind == WaitKind::BarrierId ? wait.lane : 0,
             mask = wait.site->kind >= WaitKind::SyncWarp ? wait.mask : 0;
    auto same = std::find_if(found.places.begin(), found.places.end(), [&](const Deadlock::Place &p) {
      return p.site == wait.site && p.barrier == number && p.mask == mask;
    });
    if (same == found.places.end())
      same = found.places.insert(same, {.site = wait.site,
                                        .barrier = number,
                                        .mask = mask,
                                        .outside_mask = false,
                                        .threads = 0,
                                        .first = {t % width, t / width % height, t / width / height}});
    same->threads++;
    if (wait.site->kind >= WaitKind::SyncWarp && !(mask >> (t % warp_size) & 1)) same->outside_mask = true;
  }
  return found;
}

extern "C" void *kiln_native_frames(abi::NativeThread *thread, uint64_t frame_bytes, uint32_t threads) {
  return static_cast<Block *>(thread->run)->frames(frame_bytes, threads);
}
extern "C" void kiln_native_rounds(abi::NativeThread *thread, void (*wake)(void *)) {
  static_cast<Block *>(thread->run)->run(wake);
}

} // namespace kiln
