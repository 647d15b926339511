// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A list of jobs that workers on several machines share: which job this worker compiles next.
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
  /// Asks for jobs, as QueueConnection::take does. One thread at a time.
  using Take = std::function<Result<std::string>(std::span<const Fingerprint> jobs, uint32_t num_wanted)>;
  using Finish = std::function<void(const Fingerprint &job, AgentFinish::Outcome outcome)>;
  struct Counts {
    size_t elsewhere = 0; ///< jobs that other workers have done
    size_t returned = 0;  ///< jobs taken whose worker had ended
    size_t alone = 0;     ///< jobs handed out without the queue
  };

  /// `digests` by job. `order`: the jobs as this worker goes through them.
  JobQueue(std::vector<Fingerprint> digests, std::vector<size_t> order, Take take, Finish finish);

  /// The next job for this worker, which then calls finish(). Waits for jobs that other workers hold, and
  /// takes those whose worker has ended. No value: all jobs have ended, or the queue cannot be used
  /// (fault()).
  std::optional<size_t> next();
  /// A job has ended here. False: an error of this machine, and the job gets another attempt.
  bool finish(size_t job, bool is_done, bool is_input_error);
  /// Jobs whose attempts all ended without a result; each is reported by one worker.
  std::vector<size_t> take_abandoned();
  Counts counts() const;
  /// Usage: why the queue cannot be used.
  std::optional<Error> fault() const;
  /// Why jobs were handed out without the queue; empty: they were not.
  std::string lost() const;

private:
  enum class State : uint8_t {
    Unknown,
    Busy,    ///< another worker holds it
    Lacking, ///< this machine lacks something for it: others first
    Twin,    ///< equal to an earlier job of the list: after that one
    Here,    ///< under way, or has ended here
    Elsewhere,
  };
  struct Job {
    State state = State::Unknown;
    bool is_last = false; ///< its last attempt
  };
  using Clock = std::chrono::steady_clock;
  std::vector<size_t> candidates() const;
  std::vector<size_t> first_of(State state, size_t count) const;
  std::optional<size_t> ask(const std::vector<size_t> &jobs);
  std::optional<size_t> next_alone();
  bool note(size_t job, TaskState state); ///< whether the job was taken
  void note_silence(const Error &why);

  const std::vector<Fingerprint> digests_;
  const std::vector<size_t> order_;
  const Take take_;
  const Finish finish_;
  mutable std::mutex mutex_; ///< of what follows
  std::condition_variable pause_;
  std::minstd_rand random_; ///< of pauses, so that workers do not ask all at once
  std::vector<Job> jobs_;
  mutable size_t cursor_ = 0; ///< no job before it in `order_` is Unknown
  std::vector<size_t> abandoned_;
  Counts counts_;
  std::optional<Error> fault_;
  std::optional<Clock::time_point> silent_since_;
  std::string lost_;
};

} // namespace kiln
