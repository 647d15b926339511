// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shares a list of jobs among workers on several machines: selects this worker's next job.
#pragma once

#include <kiln/precompile.h>
#include <remote/remote.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <random>

namespace kiln {

/// Digest of each job together with the contents of its files.
std::vector<Fingerprint> queue_digests(std::span<const PrecompileJob> jobs);

/// Thread-safe.
class JobQueue {
public:
  /// Requests jobs, as QueueConnection::take does. Calls are serialised.
  using Take = std::function<Result<std::string>(std::span<const Fingerprint> jobs, uint32_t num_wanted)>;
  using Finish = std::function<void(const Fingerprint &job, AgentFinish::Outcome outcome)>;
  struct Counts {
    size_t elsewhere = 0; ///< jobs done by other workers
    size_t returned = 0;  ///< jobs taken over from ended workers
    size_t alone = 0;     ///< jobs handed out without the queue
  };

  /// `digests`: by job. `order`: this worker's order of the jobs.
  JobQueue(std::vector<Fingerprint> digests, std::vector<size_t> order, Take take, Finish finish);

  /// Returns this worker's next job; call finish() after it. Waits for jobs of other workers, and takes over
  /// those whose worker has ended. Empty if all jobs have ended, or the queue cannot be used (fault()).
  std::optional<size_t> next();
  /// Ends a job. Returns false after an error of this machine: the job then gets another attempt.
  bool finish(size_t job, bool is_done, bool is_input_error);
  /// Jobs whose attempts all ended without a result. One worker reports each.
  std::vector<size_t> take_abandoned();
  Counts counts() const;
  /// Why the queue cannot be used. Kind: Usage.
  std::optional<Error> fault() const;
  /// Why jobs were handed out without the queue. Empty if none were.
  std::string lost() const;

private:
  enum class State : uint8_t {
    Unknown,
    Busy,    ///< another worker holds it
    Lacking, ///< this machine lacks something for it: other workers first
    Twin,    ///< equal to an earlier job of the list: waits for it
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
  bool note(size_t job, TaskState state); ///< returns true if the job was taken
  void note_silence(const Error &why);

  const std::vector<Fingerprint> digests_;
  const std::vector<size_t> order_;
  const Take take_;
  const Finish finish_;
  mutable std::mutex mutex_; ///< guards the following
  std::condition_variable pause_;
  std::minstd_rand random_; ///< for random pauses, so that workers do not ask all at once
  std::vector<Job> jobs_;
  mutable size_t cursor_ = 0; ///< all jobs before it in `order_` have a known state
  std::vector<size_t> abandoned_;
  Counts counts_;
  std::optional<Error> fault_;
  std::optional<Clock::time_point> silent_since_;
  std::string lost_;
};

} // namespace kiln
