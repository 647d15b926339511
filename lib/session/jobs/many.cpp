// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/compile.h: compiles in the background (futures), and batches of compiles.
#include <session/launch/job_code.h>
#include <session/session_state.h>

#include <support/releasable_lock.h>

#include <algorithm>
#include <condition_variable>
#include <optional>

namespace kiln {

// ---- futures

struct CompileFuture::State {
  const uint64_t process = process_token();
  Cancellation cancellation;
  /// The session's CallGate; valid until `outcome` is set. Null: `outcome` was set when the future was made.
  const CallGate *gate = nullptr;
  const CompileQueue *queue = nullptr;
  std::mutex mutex; ///< guards the following
  std::condition_variable changed;
  std::optional<Outcome> outcome;
  std::vector<std::function<void(const Outcome &)>> told;

  bool is_ready() {
    std::lock_guard lock(mutex);
    return outcome.has_value();
  }

  /// Waits for the outcome. Error: Usage if the compile may itself be waiting for this thread.
  Result<void> wait() {
    if (process != process_token()) return of_parent_process();
    {
      std::lock_guard lock(mutex);
      if (outcome) return {};
      KILN_CHECK(check_wait());
    }
    const ReleasedLocks released;
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return outcome.has_value(); });
    return {};
  }
  /// Checks that this thread may wait for the outcome. The caller holds the mutex, and `outcome` is not set.
  Result<void> check_wait() const {
    KILN_CHECK(gate->check_wait());
    if (queue->is_inside())
      return usage_error(
          "a thread that compiles for the session (in CompileFuture::then) waits for another compile "
          "of it: let then() of that one do what comes next");
    if (keeps_locks())
      return usage_error(
          "code that a definition runs waits for a compile, which may need that definition: submit "
          "it, and wait outside of the definition");
    return {};
  }

  /// Sets the outcome. Later calls have no effect.
  void finish(Outcome result) {
    decltype(told) listeners;
    {
      std::lock_guard lock(mutex);
      if (outcome) return;
      outcome = std::move(result);
      std::swap(listeners, told);
    }
    changed.notify_all();
    for (const auto &listener : listeners) tell(listener);
  }

  /// Calls a listener with the outcome. The outcome must be set; it does not change any more.
  void tell(const std::function<void(const Outcome &)> &listener) const {
    try {
      listener(*outcome);
    } catch (...) {
    }
  }

  void stop(void (Cancellation::*how)() const, Error error) {
    (cancellation.*how)();
    finish(std::move(error));
  }
};

bool CompileFuture::ready() const { return !state_ || state_->is_ready(); }

void CompileFuture::wait() const {
  if (state_) (void)state_->wait();
}

bool CompileFuture::wait_for(std::chrono::nanoseconds time) const {
  if (!state_) return true;
  const ReleasedLocks released;
  std::unique_lock lock(state_->mutex);
  return state_->changed.wait_for(lock, time, [&] { return state_->outcome.has_value(); });
}

CompileFuture::Outcome CompileFuture::get() const {
  if (!state_) return usage_error("an empty CompileFuture: Session::submit makes them");
  KILN_CHECK(state_->wait());
  if (!state_->outcome->ok()) return state_->outcome->error();
  return **state_->outcome;
}

void CompileFuture::then(std::function<void(const Outcome &)> told) const {
  if (!state_ || !told) return;
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->outcome) {
      state_->told.push_back(std::move(told));
      return;
    }
  }
  state_->tell(told);
}

void CompileFuture::cancel() const {
  if (state_) state_->stop(&Cancellation::cancel, cancelled_error());
}

// ---- one

namespace {

Error session_closed() {
  return Error(Diagnostic{.code = ErrorCode::Cancelled,
                          .message = "the session was closed before the job was compiled",
                          .hint = "wait for what was submitted before the session goes"});
}

using Deadline = std::optional<Cancellation::Clock::time_point>;

Result<Deadline> deadline_of(const SubmitOptions &options) {
  if (options.deadline.count() < 0)
    return usage_error(fmt::format("SubmitOptions::deadline is {} ms: a time from now on, or 0 for none",
                                   options.deadline.count()));
  // Deadlines of more than a year count as none, so that the clock's value does not overflow.
  if (options.deadline.count() == 0 || options.deadline > std::chrono::hours(24 * 365)) return Deadline();
  return Deadline(Cancellation::Clock::now() + options.deadline);
}

} // namespace

static const CompilerConfig &config_of(const JobService &jobs, const CompileRequest &request) {
  return request.config ? *request.config : jobs.default_config();
}

CompileFuture Session::submit(CompileRequest request, const SubmitOptions &options) {
  auto state = std::make_shared<CompileFuture::State>();
  state->gate = &state_->gate;
  state->queue = &state_->jobs.queue();
  auto begin = [&]() -> Result<void> {
    KILN_CHECK(check());
    KILN_CHECK(check_product(request.kind));
    KILN_TRY(const Deadline deadline, deadline_of(options));
    Job job = std::move(request.job);
    if (job)
      KILN_CHECK(state_->jobs.job_of(job));
    else {
      KILN_TRY(job, this->job(request.call, config_of(state_->jobs, request)));
    }
    CompileQueue &queue = state_->jobs.queue();
    if (deadline) {
      state->cancellation.set_deadline(*deadline);
      queue.at(*deadline, [weak = std::weak_ptr(state)] {
        if (auto late = weak.lock()) late->stop(&Cancellation::expire, deadline_exceeded_error());
      });
    }
    auto work = [&gate = state_->gate, state, job = std::move(job), kind = request.kind](bool run) {
      if (!run) return state->finish(session_closed());
      if (state->is_ready()) return; // it was cancelled
      const CancellationScope scope(&state->cancellation);
      auto outcome = job.compile(kind);
      // The session may close after this work began; compile() then fails with Usage, which is reported as
      // Cancelled.
      const bool too_late = !outcome.ok() && outcome.error().kind() == ErrorKind::Usage && gate.is_closing();
      state->finish(too_late ? session_closed() : std::move(outcome));
    };
    queue.add(options.priority, std::move(work));
    return {};
  };
  if (Result<void> begun = begin(); !begun.ok()) state->finish(begun.take_error());
  return CompileFuture(std::move(state));
}

// ---- many

namespace {

/// Results of a batch of numbered items. A call waits until all results are set or its deadline passes. Work
/// that is running at the deadline continues in the background.
template <class T> class Many {
public:
  Many(size_t count, Cancellation cancellation) : cancellation_(std::move(cancellation)), left_(count) {
    results_.resize(count);
  }
  const Cancellation &cancellation() const { return cancellation_; }

  void set(size_t index, Result<T> result) {
    std::lock_guard lock(mutex_);
    if (results_[index]) return;
    results_[index] = std::move(result);
    if (--left_ == 0) changed_.notify_all();
  }

  bool is_set(size_t index) {
    std::lock_guard lock(mutex_);
    return results_[index].has_value();
  }

  std::vector<Result<T>> take(const Deadline &deadline) {
    const ReleasedLocks released;
    std::unique_lock lock(mutex_);
    auto all_there = [&] { return left_ == 0; };
    if (!deadline)
      changed_.wait(lock, all_there);
    else if (!changed_.wait_until(lock, *deadline, all_there)) {
      lock.unlock();
      cancellation_.expire();
      lock.lock();
    }
    std::vector<Result<T>> all;
    all.reserve(results_.size());
    for (auto &result : results_)
      all.push_back(result ? std::move(*result) : Result<T>(deadline_exceeded_error()));
    for (auto &result : results_) result.emplace(deadline_exceeded_error()); // drops later results
    return all;
  }

private:
  const Cancellation cancellation_;
  std::mutex mutex_; ///< guards the following
  std::condition_variable changed_;
  std::vector<std::optional<Result<T>>> results_;
  size_t left_;
};

template <class T> std::vector<Result<T>> all_fail(size_t count, const Error &error) {
  std::vector<Result<T>> all;
  for (size_t i = 0; i < count; i++) all.push_back(error);
  return all;
}

/// Splits the requests into ranges of at most `most` requests and calls work(many, range, first) for each;
/// `first` is the index of the range's first request. Runs on the threads of the queue, or on this thread if
/// it must not wait for those. Requests of ranges that are never started get an error.
template <class T, class F>
std::vector<Result<T>> run_many(Session::State &s, std::span<const CompileRequest> requests,
                                const SubmitOptions &options, size_t most, F work) {
  const auto deadline = deadline_of(options);
  if (!deadline.ok()) return all_fail<T>(requests.size(), deadline.error());
  Cancellation cancellation;
  if (*deadline) cancellation.set_deadline(**deadline);
  auto many = std::make_shared<Many<T>>(requests.size(), std::move(cancellation));
  auto all = std::make_shared<const std::vector<CompileRequest>>(requests.begin(), requests.end());
  for (size_t first = 0; first < all->size(); first += most) {
    const size_t count = std::min(most, all->size() - first);
    auto range = [&s, many, all, first, count, work](bool run) {
      if (!run) {
        for (size_t i = first; i < first + count; i++) many->set(i, session_closed());
        return;
      }
      const CancellationScope stop(&many->cancellation());
      const ComputingCall call(s.gate);
      work(*many, std::span(*all).subspan(first, count), first);
    };
    if (s.jobs.queue().is_inside() || keeps_locks())
      range(true);
    else
      s.jobs.queue().add(options.priority, range);
  }
  StageScope waiting(&s.log.timer, Stage::WaitForJobs);
  return many->take(*deadline);
}

/// Calls SessionOptions::on_job for each request, on the requesting thread. Returns one result per request;
/// an error affects only its own request.
std::shared_ptr<const std::vector<Result<void>>> announce(JobService &jobs,
                                                          std::span<const CompileRequest> requests) {
  auto all = std::make_shared<std::vector<Result<void>>>();
  for (const CompileRequest &request : requests)
    all->push_back(request.job ? Result<void>() : jobs.announce(request.call, config_of(jobs, request)));
  return all;
}

/// Makes the job of a request, with the newest definitions.
Result<CompilerJob> job_of(JobService &jobs, const CompileRequest &request) {
  const AnnouncedRequests announced;
  return request.job ? jobs.job_of(request.job) : jobs.job(request.call, config_of(jobs, request));
}

/// As above, for a device.
Result<CompilerJob> job_for(Session::State &s, const CompileRequest &request, const Device &device) {
  const AnnouncedRequests announced;
  if (!request.job) {
    KILN_TRY(CompilerConfig config, s.launches.config_for(*state_of(device), config_of(s.jobs, request)));
    return s.jobs.job(request.call, config);
  }
  KILN_TRY(CompilerJob job, s.jobs.job_of(request.job));
  KILN_CHECK(s.launches.check_target(request.job, device));
  return job;
}

} // namespace

std::vector<Result<std::shared_ptr<const Artifact>>> Session::compile_many(
    std::span<const CompileRequest> requests, const SubmitOptions &options) {
  using Product = std::shared_ptr<const Artifact>;
  CallScope scope(state_->gate);
  if (auto status = scope.check(); !status.ok()) return all_fail<Product>(requests.size(), status.error());
  State &s = *state_;
  auto compile_one = [&s, announced = announce(s.jobs, requests)](
                         Many<Product> &many, std::span<const CompileRequest> one, size_t place) {
    many.set(place, [&]() -> Result<Product> {
      if (!(*announced)[place].ok()) return (*announced)[place].error();
      KILN_CHECK(check_cancellation());
      auto use = s.jobs.use();
      KILN_TRY(CompilerJob job, job_of(s.jobs, one[0]));
      return s.jobs.compile(job, one[0].kind);
    }());
  };
  return run_many<Product>(s, requests, options, 1, compile_one);
}

namespace {

/// Compiles and loads a range of jobs on one thread. Kernels for a GPU of CUDA are assembled together, with
/// few calls of the assembler.
void prepare_range(Session::State &s, const Device &device, Many<Kernel> &many,
                   std::span<const CompileRequest> requests, std::span<const Result<void>> announced,
                   size_t first) {
  auto use = s.jobs.use();
  std::vector<size_t> places;
  std::vector<CompilerJob> jobs;
  for (size_t i = 0; i < requests.size(); i++) {
    auto job = [&]() -> Result<CompilerJob> {
      if (!announced[i].ok()) return announced[i].error();
      KILN_CHECK(check_cancellation());
      return job_for(s, requests[i], device);
    }();
    if (!job.ok()) {
      many.set(first + i, job.take_error());
      continue;
    }
    places.push_back(first + i);
    jobs.push_back(std::move(*job));
  }
  if (device.kind() == DeviceKind::Cuda) {
    // Indices of jobs for the toolkit's assembler; the driver assembles the others later.
    std::vector<size_t> by_toolkit;
    std::vector<CompilerJob> together;
    for (size_t i = 0; i < jobs.size(); i++)
      if (!is_assembled_by_driver(s.jobs.target_of(jobs[i]), jobs[i].config.target,
                                  state_of(device)->info().sm)) {
        by_toolkit.push_back(i);
        together.push_back(jobs[i]);
      }
    std::vector<Result<Compiled>> made = s.jobs.assemble_many(together);
    // Input errors are final: a wrong program would fail again. After other errors, such as a missing
    // assembler, the loop below tries the job alone.
    for (size_t i = 0; i < made.size(); i++)
      if (!made[i].ok() && made[i].error().kind() == ErrorKind::Input)
        many.set(places[by_toolkit[i]], made[i].take_error());
  }
  for (size_t i = 0; i < jobs.size(); i++) {
    if (many.is_set(places[i])) continue;
    many.set(places[i], [&]() -> Result<Kernel> {
      KILN_CHECK(check_cancellation());
      return s.launches.prepare(jobs[i], device, false);
    }());
  }
}

} // namespace

std::vector<Result<Kernel>> Session::prepare_many(std::span<const CompileRequest> requests,
                                                  const Device &device, const SubmitOptions &options) {
  CallScope scope(state_->gate);
  if (auto status = scope.check(); !status.ok()) return all_fail<Kernel>(requests.size(), status.error());
  State &s = *state_;
  if (auto status = s.launches.devices().check(device); !status.ok())
    return all_fail<Kernel>(requests.size(), status.error());
  const size_t most =
      device.kind() == DeviceKind::Cuda ? batch_size(requests.size(), s.jobs.queue().threads()) : 1;
  auto prepare = [&s, device, announced = announce(s.jobs, requests)](
                     Many<Kernel> &many, std::span<const CompileRequest> range, size_t first) {
    prepare_range(s, device, many, range, std::span(*announced).subspan(first, range.size()), first);
  };
  return run_many<Kernel>(s, requests, options, most, prepare);
}

} // namespace kiln
