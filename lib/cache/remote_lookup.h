// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "artifact_entry.h"
#include "read_ahead.h"

#include <remote/remote.h>

#include <atomic>

namespace kiln {

/// Counters of requests to remote stores. Each request counts as one hit, miss or error.
struct RemoteCounts {
  std::atomic<uint64_t> requests{0}, hits{0}, misses{0};
  std::atomic<uint64_t> errors{0};    ///< requests with an invalid entry or no answer in time
  std::atomic<uint64_t> late{0};      ///< hits that arrived during a compile, which was then stopped
  std::atomic<uint64_t> published{0}; ///< entries accepted by the agent
  // Artifacts missing in both the folder and the store, by what followed: missing = joined + late + compiled.
  std::atomic<uint64_t> missing{0};
  std::atomic<uint64_t> joined{0};   ///< another session compiled the artifact while this one waited
  std::atomic<uint64_t> compiled{0}; ///< this session compiled the artifact, or failed to
  /// True after a lookup with Purpose::Require waited in vain for an agent.
  std::atomic<bool> lacks_agent{false};
};

/// A request to the remote store. The constructor sends it. Used by one thread at a time.
class RemoteLookup {
public:
  /// The caller's next step if the store lacks the entry.
  enum class Purpose : uint8_t {
    Read, ///< goes on without it
    /// Continues without the edge record; waits twice as long, since the agent may fetch the next entry too.
    Record,
    Compile, ///< compiles the artifact; one session of the fleet compiles, and the others wait
    Require, ///< fails; waits up to 3 s for an answer, and another 3 s for an agent to start
  };
  /// `client`: null if there is no remote store. A key without a SHA-256 has no remote name, and its lookup
  /// finds nothing. `ahead`: entries that arrived before they were requested. An answer may bring a second
  /// entry, which the lookup adds there. `cost`: estimated time of the compile; 0: unknown.
  RemoteLookup(AgentClient *client, ReadAhead<RemoteName> &ahead, const Fingerprint &key, Purpose purpose,
               ArtifactKind product, std::chrono::microseconds cost, RemoteCounts &counts,
               const std::function<void(const std::string &)> &warn);
  ~RemoteLookup(); ///< ends the wait
  RemoteLookup(const RemoteLookup &) = delete;
  RemoteLookup &operator=(const RemoteLookup &) = delete;

  /// Waits for the answer as long as the server usually takes. If another session compiles the entry, waits
  /// as long as the agent says. Returns the content if it arrived. Ends early if the thread's work is
  /// cancelled.
  std::optional<std::string> wait();
  /// Returns the content if it has arrived. Does not wait. Costs a system call.
  std::optional<std::string> poll();
  /// Takes the lease: other sessions wait until this one has compiled and stored the entry. Null: there is
  /// none. Release it after the entry is stored.
  std::shared_ptr<void> take_lease() { return std::move(lease_); }
  bool is_pending() const { return fetch_ || here_; } ///< an answer may still arrive
  bool is_asked() const { return is_asked_; }         ///< false: no remote store was asked for this key
  /// This session's wait so far for another session that compiles the same entry.
  struct Wait {
    bool was_told = false; ///< the store lacked the entry, and told this session to wait
    std::chrono::nanoseconds time{0};
    std::string holder; ///< "host:4711"; empty: unknown
  };
  const Wait &waited() const { return waited_; }

private:
  static constexpr std::chrono::milliseconds required_patience{3000};
  std::optional<std::string> wait_in_slices(const std::function<AgentClient::Clock::time_point()> &until);
  std::optional<std::string> wait_until(const std::function<AgentClient::Clock::time_point()> &until);
  std::optional<std::string> open(const std::string &entry);
  void end(std::atomic<uint64_t> &count);
  void note_wait();
  const Fingerprint key_;
  RemoteCounts &counts_;
  const std::function<void(const std::string &)> &warn_;
  AgentClient *const client_;
  ReadAhead<RemoteName> &ahead_;
  const Purpose purpose_;
  const std::chrono::microseconds cost_;      ///< known or usual cost
  std::optional<std::string> here_;           ///< the entry that arrived ahead
  std::unique_ptr<AgentClient::Fetch> fetch_; ///< null: not sent, or answered
  std::shared_ptr<AgentClient::Fetch> lease_;
  bool is_asked_ = false;
  Wait waited_;
};

} // namespace kiln
