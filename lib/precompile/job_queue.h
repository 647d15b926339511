// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares a list of jobs among workers on several machines, and selects the next job of this worker.
#pragma once

#include <kiln/precompile.h>
#include <remote/remote.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <random>

namespace kiln {

/// Returns a digest for each job, made of the job and the contents of its files.
std::vector<Fingerprint> queue_digests(std::span<const PrecompileJob> jobs);

/// Thread-safe.
class JobQueue {
public:
  /// Function that requests jobs, as QueueConnection::take does. Never called by two threads at once.
  using Take = std::function<Result<std::string>(std::span<const Fingerprint> jobs, uint32_t num_wanted)>;
  using Finish = std::function<void(const Fingerprint &job, AgentFinish::Outcome outcome)>;
  struct Counts {
    size_t elsewhere = 0; ///< jobs done by other workers
    size_t returned = 0;  ///< jobs taken over from workers that ended
    size_t alone = 0;     ///< jobs handed out while the queue did not answer
  };

  /// `digests`: one per job. `order`: indices of the jobs, in the order in which this worker requests them.
  JobQueue(std::vector<Fingerprint> digests, std::vector<size_t> order, Take take, Finish finish);

  /// Returns the next job of this worker, which must call finish() after it. Waits while other workers hold
  /// the remaining jobs, and takes over jobs whose worker has ended. Empty: all jobs have ended, or the queue
  /// cannot be used (fault()).
  std::optional<size_t> next();
  /// Reports the end of a job to the queue. Returns false after an error of this machine, such as a missing
  /// tool: the job then gets another attempt.
  bool finish(size_t job, bool is_done, bool is_input_error);
  /// Jobs of which all attempts failed. Only one worker gets each, to report it.
  std::vector<size_t> take_abandoned();
  Counts counts() const;
  /// Reason why the queue cannot be used, of kind Usage. Empty: it can.
  std::optional<Error> fault() const;
  /// Reason why jobs were handed out without the queue. Empty: all came from the queue.
  std::string lost() const;

private:
  enum class State : uint8_t {
    Unknown,
    Busy,    ///< another worker holds it
    Lacking, ///< this machine lacks something that the job needs, so other workers try first
    Twin,    ///< equal to an earlier job of the list, and waits for it
    Here,    ///< running, or ended here
    Elsewhere,
  };
  struct Job {
    State state = State::Unknown;
    bool is_last = false; ///< this is its last attempt
  };
  using Clock = std::chrono::steady_clock;
  std::vector<size_t> candidates() const;
  std::vector<size_t> first_of(State state, size_t count) const;
  std::optional<size_t> ask(const std::vector<size_t> &jobs);
  std::optional<size_t> next_alone();
  bool note(size_t job, TaskState state); ///< true if this worker has got the job
  void note_silence(const Error &why);

  const std::vector<Fingerprint> digests_;
  const std::vector<size_t> order_;
  const Take take_;
  const Finish finish_;
  mutable std::mutex mutex_; ///< guards the following
  std::condition_variable pause_;
  std::minstd_rand random_; ///< makes pauses random, so that workers do not all ask at once
  std::vector<Job> jobs_;
  mutable size_t cursor_ = 0; ///< first index in `order_` that may have an unknown state
  std::vector<size_t> abandoned_;
  Counts counts_;
  std::optional<Error> fault_;
  std::optional<Clock::time_point> silent_since_;
  std::string lost_;
};

} // namespace kiln
