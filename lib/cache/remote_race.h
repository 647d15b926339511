// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "persistent.h"

#include <support/cancellation.h>

#include <optional>

namespace kiln {

/// Runs a lookup in the remote store and a compile against each other, and takes the first result. The
/// compile starts when the store's usual answer time has passed. The compile looks for the store's answer
/// wherever it checks for cancellation: at the borders of stages, and in waits for worker processes.
class RemoteRace {
public:
  using ArtifactPtr = PersistentCache::ArtifactPtr;
  RemoteRace(PersistentCache &persistent, const Fingerprint &key, ArtifactKind product,
             std::function<bool(const ArtifactPtr &)> usable)
      : persistent_(persistent), key_(key), usable_(std::move(usable)),
        lookup_(persistent.look_up_remote(key, RemoteLookup::Purpose::Compile, product)) {}

  bool wins_at_once() {
    StageScope scope(lookup_.is_pending() ? Timer::of_thread() : nullptr, Stage::CacheRemote);
    const bool has_won = take(lookup_.wait());
    if (lookup_.is_asked() && (!has_won || lookup_.waited().was_told)) count(&RemoteCounts::missing);
    if (has_won && lookup_.waited().was_told) count(&RemoteCounts::joined);
    return has_won;
  }
  /// Runs `compile` and returns its result. If the store's answer came first, the compile is stopped, and
  /// artifact() returns the answer.
  template <class Compile> Result<ArtifactPtr> run(Compile compile) {
    if (!lookup_.is_pending()) {
      if (lookup_.is_asked()) count(&RemoteCounts::compiled);
      return compile();
    }
    const Cancellation race;
    const Cancellation *const outer = current_cancellation();
    std::optional<CancellationCallback> stopped;
    if (outer) {
      race.set_deadline(outer->deadline());
      stopped.emplace(*outer, [&race, outer] {
        outer->reason() == StopReason::DeadlineExceeded ? race.expire() : race.cancel();
      });
    }
    race.set_poll([this] { return take(lookup_.poll()); });
    const CancellationScope scope(&race);
    Result<ArtifactPtr> outcome = compile();
    if (artifact_ && outcome.ok()) artifact_ = nullptr; // it arrived after the compile's last check
    count(artifact_ ? &RemoteCounts::late : &RemoteCounts::compiled);
    return outcome;
  }
  const RemoteLookup::Wait &waited() const { return lookup_.waited(); }
  const ArtifactPtr &artifact() const { return artifact_; }
  std::string take_content() { return std::move(content_); }
  std::shared_ptr<void> take_lease() { return lookup_.take_lease(); }

private:
  void count(std::atomic<uint64_t> RemoteCounts::*counter) {
    (persistent_.remote_counts().*counter).fetch_add(1, std::memory_order_relaxed);
  }

  bool take(std::optional<std::string> content) {
    if (!content) return false;
    ArtifactPtr read = persistent_.read_remote(key_, *content);
    if (!usable_(read)) return false;
    artifact_ = std::move(read);
    content_ = std::move(*content);
    return true;
  }

  PersistentCache &persistent_;
  const Fingerprint key_;
  const std::function<bool(const ArtifactPtr &)> usable_;
  RemoteLookup lookup_;
  ArtifactPtr artifact_; ///< from the store
  std::string content_;
};

} // namespace kiln
