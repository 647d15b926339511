// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of jobs of one remote: the jobs that workers of this node hold, and their renewal at the server.
#pragma once

#include "remote_store.h"

#include <random>

namespace kiln {

/// Counters of jobs. At any time: taken = done + failed + given_back + held.
struct JobCounters {
  uint64_t taken = 0;
  uint64_t done = 0, failed = 0;
  uint64_t given_back = 0; ///< jobs left to another attempt, or whose worker ended
  uint64_t returned = 0;   ///< part of `taken`: another worker held the job before
  uint64_t expired = 0;    ///< jobs that the server gave to another worker while one here held them
  uint64_t errors = 0;     ///< operations to which the server gave no valid reply
};

/// Takes, renews and finishes jobs for the workers of this node. Used only by the event loop's thread.
class JobHub {
public:
  using Done = std::function<void(const AgentTasks &)>;
  /// `server`: the queues' server; null: this remote has no queues.
  JobHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<JobServer> server);
  ~JobHub();
  JobHub(const JobHub &) = delete;
  JobHub &operator=(const JobHub &) = delete;

  uint64_t next_worker() { return ++last_worker_; }
  /// Requests jobs for a worker. Calls `done` once, after this function has returned. Errors (Input): the
  /// worker's last request is still pending, or it wants too many jobs.
  Result<void> take(uint64_t worker, const AgentTake &request, Done done);
  /// Ends a job. A successful job is marked as done after its uploads. If an upload is lost, the job gets
  /// another attempt.
  void finish(const AgentFinish &finish);
  /// Called when a worker has ended. Gives the worker's jobs back to the queue.
  void leave(uint64_t worker);
  std::string report() const; ///< a JSON object

private:
  struct Worker {
    bool is_asking = false; ///< its request is pending
    size_t num_held = 0;
  };
  struct Held {
    HeldJob job;
    bool has_expired = false; ///< true if the server has given the job to another worker
    uint64_t worker = 0;      ///< number of the worker; 0: the job is done, and its uploads are pending
    /// Number of uploads accepted when the job was taken, and when it was finished. The job's uploads lie
    /// between the two numbers; those of other jobs may, too.
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
  std::map<uint64_t, Worker> workers_; ///< workers that have requested jobs, until they end
  JobCounters counters_;
  uint64_t last_worker_ = 0;
  EventLoop::TimerId beat_timer_ = 0, upload_timer_ = 0;
};

} // namespace kiln
