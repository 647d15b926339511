// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Virtual time, and models of the two servers.
#pragma once

#include <lease/lease.h>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <random>
#include <vector>

namespace kiln::lease_test {

using Micros = int64_t; ///< since the schedule's beginning

/// Runs events in the order of their times, and of their making where these are equal.
class World {
public:
  World(uint64_t seed, bool shows_events) : random_(seed), shows_events_(shows_events) {}

  /// A number from `first` to `last`.
  Micros random(Micros first, Micros last) { return first + Micros(random_() % uint64_t(last - first + 1)); }
  Micros now() const { return now_; }
  uint64_t events() const { return made_; }
  void after(Micros delay, std::function<void()> work) {
    events_.push_back({now_ + delay, made_++, std::move(work)});
    std::push_heap(events_.begin(), events_.end());
  }
  /// Until no event is left, an invariant is violated, or time ends.
  void run(Micros end) {
    while (!events_.empty() && violation_.empty()) {
      std::pop_heap(events_.begin(), events_.end());
      const Event event = std::move(events_.back());
      events_.pop_back();
      now_ = event.time;
      if (now_ > end) return violate("events go on for ever");
      event.work();
    }
  }
  template <class... Values> void note(fmt::format_string<Values...> text, Values &&...values) const {
    if (!shows_events_) return;
    const std::string line = fmt::format(text, std::forward<Values>(values)...);
    std::printf("%10lld us  %s\n", static_cast<long long>(now_), line.c_str());
  }
  template <class... Values> void violate(fmt::format_string<Values...> text, Values &&...values) {
    if (violation_.empty()) violation_ = fmt::format(text, std::forward<Values>(values)...);
  }
  const std::string &violation() const { return violation_; }

private:
  struct Event {
    Micros time;
    uint64_t number;
    std::function<void()> work;
    bool operator<(const Event &other) const { // the earliest is on top of the heap
      return std::pair(other.time, other.number) < std::pair(time, number);
    }
  };
  std::mt19937_64 random_;
  const bool shows_events_;
  Micros now_ = 0;
  uint64_t made_ = 0;
  std::vector<Event> events_;
  std::string violation_;
};

/// The lease operations as a server carries them out.
struct LeaseServerModel {
  struct Held {
    LeaseView view;
    Micros until;
  };
  double rate = 1; ///< of the server's clock
  uint64_t last_token = 0;
  std::map<LeaseKey, Held> leases;
  std::map<uint64_t, Micros> last_beats; ///< by nonce

  LeaseReply serve(const LeaseAction &action, Micros now) {
    using Kind = LeaseAction::Kind;
    const Micros until = now + Micros(double(action.duration.count()) / rate);
    auto found = leases.find(action.key);
    if (found != leases.end() && found->second.until <= now) {
      leases.erase(found);
      found = leases.end();
    }
    if (action.kind == Kind::Acquire && found == leases.end()) {
      const LeaseId id{.token = ++last_token, .nonce = action.id.nonce};
      found = leases.emplace(action.key, Held{{.id = id}, until}).first;
      last_beats[id.nonce] = now;
    } else if (action.kind == Kind::Renew && found != leases.end() && found->second.view.id == action.id) {
      found->second.view.beat++;
      found->second.until = until;
      last_beats[action.id.nonce] = now;
    } else if (action.kind == Kind::Release && found != leases.end() && found->second.view.id == action.id) {
      leases.erase(found);
      found = leases.end();
    }
    if (found == leases.end()) return {.outcome = LeaseReply::Outcome::Nothing};
    return {.outcome = LeaseReply::Outcome::Held, .view = found->second.view};
  }
  void forget() {
    leases.clear();
    last_token = 0;
  }
};

/// A store that keeps the first entry of each key: a late publisher is refused.
struct StoreModel {
  std::map<size_t, uint64_t> entries;
  std::map<size_t, std::vector<uint64_t>> made; ///< codes that sessions compiled
  bool has_changed = false;                     ///< an entry was replaced by another one

  uint64_t get(size_t key) const { // 0: none
    const auto found = entries.find(key);
    return found == entries.end() ? 0 : found->second;
  }
  /// False: there is another entry.
  bool put(size_t key, uint64_t bytes) {
    const uint64_t before = get(key);
    if (before == 0) entries[key] = bytes;
    has_changed |= before != 0 && get(key) != before;
    return get(key) == bytes;
  }
  void forget() { entries.clear(); }
};

} // namespace kiln::lease_test
