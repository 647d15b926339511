// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of jobs of one remote: jobs that workers of this node hold, and their renewal.
#pragma once

#include "remote_store.h"

#include <random>

namespace kiln {

/// Law, at any time: taken = done + failed + given_back + held.
struct JobCounters {
  uint64_t taken = 0;
  uint64_t done = 0, failed = 0;
  uint64_t given_back = 0; ///< for another attempt, or because the worker ended
  uint64_t returned = 0;   ///< of `taken`: previously held by another worker
  uint64_t expired = 0;    ///< jobs that the server gave to another worker in the meantime
  uint64_t errors = 0;     ///< operations without a valid reply of the server
};

/// Used by the loop's thread alone.
class JobHub {
public:
  using Done = std::function<void(const AgentTasks &)>;
  /// `server`: null if this remote has no queues.
  JobHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<JobServer> server);
  ~JobHub();
  JobHub(const JobHub &) = delete;
  JobHub &operator=(const JobHub &) = delete;

  uint64_t next_worker() { return ++last_worker_; }
  /// Takes jobs for a worker. Calls `done` once, later. Error (Input): the worker's last request is still
  /// pending, or it wants too many jobs.
  Result<void> take(uint64_t worker, const AgentTake &request, Done done);
  /// Ends a job. A successful job is marked after its uploads. If one is lost, another attempt follows.
  void finish(const AgentFinish &finish);
  /// The worker has ended: releases its jobs.
  void leave(uint64_t worker);
  std::string report() const; ///< a JSON object

private:
  struct Worker {
    bool is_asking = false; ///< its request is pending
    size_t num_held = 0;
  };
  struct Held {
    HeldJob job;
    bool has_expired = false; ///< the server gave it to another worker
    uint64_t worker = 0;      ///< 0: the job is done, but its uploads are pending
    /// Number of uploads before the job, and with a done job's own. Other jobs' uploads may be among them.
    uint64_t first_upload = 0, last_upload = 0;
    bool is_done() const { return worker == 0; }
  };
  using Key = std::pair<std::string, Fingerprint>; ///< queue and job
  void on_taken(uint64_t worker, const AgentTake &request, uint64_t nonce, std::string_view states);
  void forget(std::map<Key, Held>::iterator held);
  void watch_uploads();
  void watch_beats();
  void renew();
  AgentTasks unusable() const;

  EventLoop &loop_;
  const std::shared_ptr<RemoteStore> store_;
  const std::shared_ptr<JobServer> server_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::mt19937_64 random_;
  std::map<Key, Held> held_;
  std::map<uint64_t, Worker> workers_; ///< workers that have requested jobs and not ended
  JobCounters counters_;
  uint64_t last_worker_ = 0;
  EventLoop::TimerId beat_timer_ = 0, upload_timer_ = 0;
};

} // namespace kiln
