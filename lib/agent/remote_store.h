// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A remote that all connections of the agent share: its server with a circuit breaker, pending fetches, the
// queue of uploads, signatures, and counters.
#pragma once

#include "breaker.h"
#include "remote_server.h"

#include <trust/trust.h>

#include <deque>
#include <set>

namespace kiln {

/// Functions that verify and sign entries. `build`: build id of the session. An empty function leaves entries
/// as they are.
struct EntryTrust {
  /// Verifies a fetched entry and returns its payload. Error: the entry is not trusted; refusal_of() gives
  /// the reason.
  std::function<Result<std::string>(const RemoteName &name, std::string_view build, std::string fetched)>
      verify = {};
  /// Signs a payload and returns the bytes to upload. Error: it cannot be signed, and is not uploaded.
  std::function<Result<std::string>(const RemoteName &name, std::string_view build, std::string payload)>
      seal = {};
  bool may_write = true; ///< false: this machine has no signing key, so that it uploads nothing
};

/// Limits of one remote.
struct RemoteLimits {
  std::chrono::milliseconds get{2'000}, put{10'000};
  size_t max_gets = 1'024;        ///< maximum gets pending at the server; further ones wait
  size_t max_put_entries = 8'192; ///< in the queue
  size_t max_put_bytes = size_t(256) << 20;
  std::chrono::milliseconds max_put_age{60'000}; ///< older uploads are dropped
  unsigned max_puts = 4;                         ///< pending at the server
};

/// Counters of a remote. At any time: requests = hits + misses + errors + refused, and uploads_taken =
/// uploads + upload_errors + uploads_dropped + entries queued or pending.
struct RemoteCounters {
  uint64_t requests = 0; ///< gets that the server has answered, or failed to
  uint64_t hits = 0, misses = 0, errors = 0, refused = 0;
  RefusalCounts refusals; ///< `refused` by reason
  uint64_t joined = 0;    ///< gets that waited for a pending get of the same entry
  uint64_t skipped = 0;   ///< gets that were not sent, because the breaker was open
  uint64_t uploads_taken = 0, uploads = 0, upload_errors = 0, uploads_dropped = 0;
  uint64_t uploads_rejected = 0;        ///< entries that put() did not accept
  uint64_t bytes_in = 0, bytes_out = 0; ///< received and uploaded payloads
};

/// Gets and uploads entries of one remote. Used only by the event loop's thread.
class RemoteStore {
public:
  using Outcome = AgentAnswer::Outcome;
  /// `bytes`: the entry; null unless the outcome is Found.
  using Done = std::function<void(Outcome outcome, const std::shared_ptr<const std::string> &bytes)>;
  RemoteStore(EventLoop &loop, std::string shown_url, std::unique_ptr<RemoteServer> server,
              const EntryTrust &trust, const Log &log, RemoteLimits limits = {});
  ~RemoteStore();
  RemoteStore(const RemoteStore &) = delete;
  RemoteStore &operator=(const RemoteStore &) = delete;

  /// Gets an entry, and calls `done` once, later. A get cannot be cancelled: even a late outcome shows the
  /// server's health.
  void get(const RemoteName &name, const std::string &build, Done done);
  /// Queues an upload. Returns false if the queue is full, the entry is empty or too large, or this machine
  /// cannot sign.
  bool put(const RemoteName &name, std::string_view build, std::string bytes);
  /// Time in microseconds that a single session waits before it requests a lease.
  uint32_t patience_us() const { return uint32_t(health_.latency().patience().count()); }
  std::optional<std::chrono::microseconds> expected() const { return health_.expected(EventLoop::now()); }
  size_t pending_uploads() const { return queue_.size() + puts_; }
  /// Returns true if one of the first `taken` uploads is still queued or pending.
  bool has_pending_upload(uint64_t taken) const {
    return !open_uploads_.empty() && *open_uploads_.begin() <= taken;
  }
  /// Returns true if an upload after the first `taken` ones was lost.
  bool has_lost_upload(uint64_t taken) const { return last_lost_upload_ > taken; }
  const RemoteCounters &counters() const { return counters_; }
  const std::string &shown_url() const { return shown_url_; }
  /// Returns the counters as a JSON object. `more`: text of an additional member.
  std::string report(std::string_view more = {}) const;
  bool may_write() const { return trust_.may_write; }
  /// Called when an upload has ended, successfully or not.
  std::function<void(const RemoteName &name)> on_upload_end;

private:
  struct Upload {
    RemoteName name;
    std::string bytes;
    SteadyTime queued;
    uint64_t number; ///< value of counters().uploads_taken after this upload was queued
  };
  void start_gets();
  void on_got(const RemoteName &name, CircuitBreaker::Pass pass, SteadyTime began,
              Result<std::optional<std::string>> got);
  void finish(const RemoteName &name, Outcome outcome, const std::shared_ptr<const std::string> &bytes);
  Outcome judge(const RemoteName &name, std::string_view build, Result<std::optional<std::string>> got,
                std::string &payload);
  void record(CircuitBreaker::Pass pass, const Error *error);
  void start_uploads();
  void drop_old_uploads();
  Upload take_upload();
  void start_upload(CircuitBreaker::Pass pass);
  void end_upload(const RemoteName &name, uint64_t number, bool has_arrived);

  EventLoop &loop_;
  const std::string shown_url_;
  const std::unique_ptr<RemoteServer> server_;
  const EntryTrust trust_;
  const Log &log_;
  const RemoteLimits limits_;
  ServerHealth health_;
  RemoteCounters counters_;
  struct Get {
    std::string build; ///< equal for all callers: the name contains the build's digest
    std::vector<Done> done;
  };
  std::map<RemoteName, Get> gets_; ///< pending and waiting
  std::deque<RemoteName> waiting_gets_;
  size_t sent_gets_ = 0;
  std::deque<Upload> queue_;
  std::set<RemoteName> queued_names_;
  std::set<uint64_t> open_uploads_; ///< numbers of the uploads that are queued or pending
  uint64_t last_lost_upload_ = 0;   ///< highest number of an upload that failed or was dropped
  std::set<RemoteName> refused_;    ///< entries that an upload replaces
  size_t upload_bytes_ = 0;         ///< queued and pending
  unsigned puts_ = 0;               ///< pending
  EventLoop::TimerId retry_ = 0;
  bool has_warned_of_refusal_ = false;
};

} // namespace kiln
