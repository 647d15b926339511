// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stage timer. A Timer belongs to a session. Each thread keeps its own tree of stages, so a scope
// takes no lock; report() merges the trees. When the timer is off a scope costs one relaxed load.
#pragma once

#include <kiln/export.h>
#include <kiln/timing.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace kiln {

/// The stages of the flow; stages.def is the only list.
enum class Stage : uint8_t {
#define KILN_STAGE(id, name, parent) id,
#include <kiln/extension/language/stages.def>
#undef KILN_STAGE
};
KILN_API std::string_view stage_name(Stage stage);

class KILN_API Timer {
public:
  Timer();
  ~Timer();
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

  void enable(bool with_trace_events = false); ///< starts the wall clock; resets what was recorded
  void disable();
  bool enabled() const { return enabled_.load(std::memory_order_relaxed); }
  void set_allocation_counter(AllocationCounter counter); ///< before enable(); null turns the columns off

  TimingReport report() const;
  std::string trace_json() const; ///< Chrome / Perfetto trace events, if enabled with them

  /// Enters a stage; `detail` names a sub-row (a rewrite, say) below it. Returns a token for leave().
  struct Token {
    void *node = nullptr;
    uint64_t start = 0;
    AllocationCount allocated;
  };
  Token enter(std::string_view name);
  void leave(const Token &token);

private:
  struct KILN_LOCAL State;
  std::unique_ptr<State> state_;
  std::atomic<bool> enabled_{false};
};

/// RAII: times the rest of the block as one stage. A null timer is allowed and costs nothing.
class [[nodiscard]] StageScope {
public:
  StageScope(Timer *timer, std::string_view name) : timer_(timer && timer->enabled() ? timer : nullptr) {
    if (timer_) token_ = timer_->enter(name);
  }
  StageScope(Timer *timer, Stage stage) : StageScope(timer, stage_name(stage)) {}
  ~StageScope() {
    if (timer_) timer_->leave(token_);
  }
  StageScope(const StageScope &) = delete;
  StageScope &operator=(const StageScope &) = delete;

private:
  Timer *timer_;
  Timer::Token token_;
};

} // namespace kiln
