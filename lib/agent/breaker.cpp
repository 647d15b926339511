// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "breaker.h"

#include <algorithm>

namespace kiln {

/// Returns true if requests are pending and no answer came in a time in which several should have come.
bool CircuitBreaker::is_silent(Time now) const {
  const auto limit = std::max<std::chrono::microseconds>(options_.min_silence, 4 * expected_);
  return is_suspect_ || (unanswered_ != 0 && now - last_sign_ > limit);
}

CircuitBreaker::State CircuitBreaker::state(Time now) const {
  if (!is_open_) return is_silent(now) ? State::Suspect : State::Closed;
  return is_probing_ || now >= retry_time_ ? State::HalfOpen : State::Open;
}

CircuitBreaker::Pass CircuitBreaker::request(Time now, Pass kind) {
  const State state = this->state(now);
  if (state == State::Closed) {
    if (kind == Pass::Request && unanswered_++ == 0) last_sign_ = now;
    return kind;
  }
  if (is_probing_ || state == State::Open || (state == State::Suspect && unanswered_ != 0))
    return Pass::Refused;
  is_probing_ = true;
  return Pass::Probe;
}

void CircuitBreaker::record(Pass pass, bool is_success, Time now) {
  if (pass == Pass::Refused) return;
  if (is_success) {
    is_suspect_ = false;
    last_sign_ = now;
  } else {
    is_suspect_ = is_silent(now);
  }
  if (pass == Pass::Request) unanswered_--;
  if (pass == Pass::Probe) {
    is_probing_ = false;
    if (!is_success) {
      failed_probes_ += is_open_;
      open(now);
      return;
    }
    is_open_ = false;
    failed_probes_ = 0;
    outcomes_.clear();
    return;
  }
  if (is_open_) return;
  outcomes_.push_back({now, is_success});
  while (outcomes_.size() > options_.window || now - outcomes_.front().time > options_.max_age)
    outcomes_.pop_front();
  const auto failures = size_t(
      std::count_if(outcomes_.begin(), outcomes_.end(), [](const Outcome &o) { return !o.is_success; }));
  if (!is_success && failures >= options_.min_failures &&
      double(failures) >= options_.failure_share * double(outcomes_.size()))
    open(now);
}

void CircuitBreaker::open(Time now) {
  const double doubled =
      double(options_.first_pause.count()) * double(uint64_t(1) << std::min(failed_probes_, 20u));
  const double pause = std::min(doubled, double(options_.max_pause.count()));
  const double factor = std::uniform_real_distribution(1 - options_.jitter, 1 + options_.jitter)(random_);
  is_open_ = true;
  is_suspect_ = false;
  openings_++;
  outcomes_.clear();
  retry_time_ = now + std::chrono::microseconds(int64_t(pause * factor * 1000));
}

std::string_view name_of(CircuitBreaker::State state) {
  switch (state) {
  case CircuitBreaker::State::Closed: return "closed";
  case CircuitBreaker::State::Suspect: return "suspect";
  case CircuitBreaker::State::Open: return "open";
  case CircuitBreaker::State::HalfOpen: return "half-open";
  }
  return "";
}

void LatencyWindow::add(std::chrono::microseconds latency) {
  latencies_[count_++ % latencies_.size()] = uint32_t(std::clamp<int64_t>(latency.count(), 0, UINT32_MAX));
}

std::chrono::microseconds LatencyWindow::ranked(size_t rank) const {
  auto sorted = latencies_;
  const auto filled = ptrdiff_t(std::min(count_, latencies_.size()));
  std::nth_element(sorted.begin(), sorted.begin() + ptrdiff_t(rank), sorted.begin() + filled);
  return std::chrono::microseconds(sorted[rank]);
}

std::chrono::microseconds LatencyWindow::p95() const {
  const size_t filled = std::min(count_, latencies_.size());
  if (filled < 20) return std::chrono::milliseconds(5);
  return ranked((filled * 95 + 99) / 100 - 1); // nearest rank
}

std::chrono::microseconds LatencyWindow::patience() const {
  return std::min<std::chrono::microseconds>(p95(), std::chrono::milliseconds(50));
}

std::chrono::microseconds LatencyWindow::expected() const {
  if (count_ == 0) return std::chrono::microseconds(0);
  return std::max(count_ < 20 ? ranked(count_ / 2) : p95(), std::chrono::microseconds(1));
}

} // namespace kiln
