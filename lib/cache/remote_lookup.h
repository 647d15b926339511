// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "artifact_entry.h"
#include "read_ahead.h"

#include <remote/remote.h>

#include <atomic>

namespace kiln {

/// Questions to remote stores by their end: every question counts as one hit, miss or error.
struct RemoteCounts {
  std::atomic<uint64_t> hits{0}, misses{0};
  std::atomic<uint64_t> errors{0};    ///< no answer in time, or one that is no entry
  std::atomic<uint64_t> late{0};      ///< hits that came while the code was compiled, which then stopped
  std::atomic<uint64_t> published{0}; ///< entries that the agent took
  // Artifacts that neither the folder nor the store had: missing = joined + late + compiled.
  std::atomic<uint64_t> missing{0};
  std::atomic<uint64_t> joined{0};   ///< another session compiled it, and this one waited
  std::atomic<uint64_t> compiled{0}; ///< by this session, well or not
};

/// One question to the remote store, from the moment it is sent. Used by one thread at a time.
class RemoteLookup {
public:
  /// The caller's next step if the entry is absent.
  enum class Purpose : uint8_t {
    Read,    ///< it goes without
    Record,  ///< the same. The agent may fetch another entry first (with_next), so it waits twice as long
    Compile, ///< it compiles. One session of the fleet does, and the others wait for it
    Require, ///< it fails, so it waits up to 3 s for an agent and an answer
  };
  /// `client`, null: there is no remote. A key without a SHA-256 has no name there. `ahead`: entries that
  /// came already; the lookup adds the one that its entry names. `cost`: of the compile; 0: unknown.
  RemoteLookup(AgentClient *client, ReadAhead<RemoteName> &ahead, const Fingerprint &key, Purpose purpose,
               ArtifactKind product, std::chrono::microseconds cost, RemoteCounts &counts,
               const std::function<void(const std::string &)> &warn);
  ~RemoteLookup(); ///< nobody waits any more
  RemoteLookup(const RemoteLookup &) = delete;
  RemoteLookup &operator=(const RemoteLookup &) = delete;

  /// Waits where the server usually answers soon (Patience), and for a session that compiles the entry as
  /// long as the agent says. The content, if it has come. Ends early where the thread's work is cancelled.
  std::optional<std::string> wait();
  /// The content, if it has come by now. Waits for nothing; a system call.
  std::optional<std::string> poll();
  /// The right to compile that others wait for; null: there is none. Let go of it once the entry is put.
  std::shared_ptr<void> take_lease() { return std::move(lease_); }
  bool is_pending() const { return fetch_ || here_; } ///< an answer may still come
  bool is_asked() const { return is_asked_; }         ///< false: there is no remote store for this key
  /// The wait for a session that compiles the entry, so far.
  struct Wait {
    bool was_told = false; ///< to wait: the store had none
    std::chrono::nanoseconds time{0};
    std::string holder; ///< "host:4711"; empty: not known
  };
  const Wait &waited() const { return waited_; }

private:
  static constexpr std::chrono::milliseconds required_patience{3000};
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
  const std::chrono::microseconds cost_;      ///< known or usual
  std::optional<std::string> here_;           ///< the entry that came ahead
  std::unique_ptr<AgentClient::Fetch> fetch_; ///< null: not asked, or answered
  std::shared_ptr<AgentClient::Fetch> lease_;
  bool is_asked_ = false;
  Wait waited_;
};

} // namespace kiln
