// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/held_job.h, and the functions of kiln/session.h about held jobs.
#include "held_jobs.h"

#include <session/launch/handles.h>
#include <session/session_state.h>

#include <kiln/extension/language/calls.h>
#include <support/float_environment.h>
#include <support/guard_target.h>
#include <support/stack.h>

#include <cstring>
#include <optional>
#include <utility>

namespace kiln {

const Artifact &HostFunction::artifact() const {
  static const Artifact none;
  return state_ ? *state_->function.artifact : none;
}

static Result<void> call_function(const HostFunction::State *state, std::span<const void *const> arguments,
                                  void *result, const StopToken &stop) {
  if (!state) return usage_error("a call of an empty HostFunction: Session::prepare_function makes them");
  if (!state->runtime->is_of_this_process()) return of_parent_process();
  const Artifact &made = *state->function.artifact;
  KILN_CHECK(check_arguments(made.entry, made, state->function.memory, arguments));
  if (!result && made.return_size)
    return usage_error(
        fmt::format("{} returns {} bytes, and there is no place for them", made.entry, made.return_size));
  abi::ExceptionRecord record{};
  std::byte unused[16];
  const KernelFloatEnvironment floats;
  KILN_CHECK(run_function(state->function.code->function(),
                          {const_cast<void *const *>(arguments.data()), arguments.size()},
                          result ? result : unused, record, stop));
  if (record.status) return exception_error(record, state->runtime->sources);
  return {};
}

Result<void> HostFunction::call(std::span<const void *const> arguments, void *result) const {
  return call_function(state_.get(), arguments, result, {});
}
Result<void> HostFunction::call(std::span<const void *const> arguments, void *result,
                                const StopSource &stop) const {
  return call_function(state_.get(), arguments, result, StopToken(&stop));
}

namespace {

/// Error of the first failed call through HostFunction::address() on this thread, until
/// HostFunction::take_error().
std::optional<Error> &error_of_address() {
  static thread_local std::optional<Error> error;
  return error;
}

void call_from_c(void *context, void *const *arguments, void *result) {
  const auto &state = *static_cast<const HostFunction::State *>(context);
  abi::ExceptionRecord record{};
  const KernelFloatEnvironment floats;
  std::byte returned[16]{};
  Result<void> ran = run_function(state.function.code->function(),
                                  {arguments, state.function.artifact->parameters.size()}, returned, record);
  if (ran.ok() && record.status) ran = exception_error(record, state.runtime->sources);
  if (ran.ok())
    std::memcpy(result, returned, state.c->result.size);
  else if (!error_of_address())
    error_of_address() = ran.take_error();
}

} // namespace

Result<void *> HostFunction::address() const {
  if (!state_)
    return usage_error("the address of an empty HostFunction: Session::prepare_function makes them");
  if (!state_->runtime->is_of_this_process()) return of_parent_process();
  State::CForm &c = *state_->c;
  const std::string &name = state_->function.artifact->entry;
  if (!c.refusal.empty())
    return usage_error(fmt::format(
        "{} has no address for C: {}, which C passes in another way (call() takes it)", name, c.refusal));
  std::lock_guard lock(c.mutex);
  if (!c.entry) {
    KILN_TRY(c.entry, CEntry::make(c.parameters, c.result, &call_from_c, const_cast<State *>(state_.get())));
  }
  return c.entry->address();
}

Result<void> HostFunction::take_error() {
  std::optional<Error> error = std::exchange(error_of_address(), std::nullopt);
  if (error) return std::move(*error);
  return {};
}

namespace {

/// Opens the session of a Job handle for one API call, and reads the handle's CompilerJob.
class OpenJob {
public:
  explicit OpenJob(const Job::State *state) : status_(open(state)) {}
  /// Error: Usage if the session cannot be called; the other members are then empty.
  Result<void> check() { return std::move(status_); }
  Session::State &session() const { return *session_; }
  const CompilerJob &job() const { return job_; }

private:
  Result<void> open(const Job::State *state) {
    if (!state) return usage_error("an empty Job: Session::job makes them");
    if (!state->jobs->is_of_this_process()) return of_parent_process();
    session_ = state->jobs->session();
    if (!session_) return usage_error(fmt::format("the session of the job {} has gone", state->call));
    scope_.emplace(session_->gate);
    KILN_CHECK(scope_->check());
    use_.emplace(session_->jobs.use());
    std::lock_guard lock(state->mutex);
    job_ = state->job;
    return {};
  }
  Session::State *session_ = nullptr;
  std::optional<ComputingCall> scope_;
  std::optional<CodeInstanceTable::Use> use_;
  CompilerJob job_;
  Result<void> status_; ///< last member, since its initialiser open() sets the others
};

} // namespace

const std::string &Job::call() const {
  static const std::string none;
  return state_ ? state_->call : none;
}

const CompilerConfig &Job::config() const {
  static const CompilerConfig none;
  return state_ ? state_->config : none;
}

uint64_t Job::world() const {
  if (!state_ || !state_->jobs->is_of_this_process()) return 0;
  std::lock_guard lock(state_->mutex);
  return state_->job.world;
}

bool Job::is_current() const {
  return state_ && state_->jobs->is_of_this_process() && state_->jobs->is_current(*state_);
}

void Job::on_stale(std::function<void()> told) const {
  if (!state_ || !told || !state_->jobs->is_of_this_process()) return;
  {
    std::lock_guard lock(state_->mutex);
    if (!state_->is_stale.load(std::memory_order_relaxed)) {
      if (state_->jobs->session()) state_->told.push_back(std::move(told));
      return;
    }
  }
  try {
    told();
  } catch (...) {
  }
}

Result<std::shared_ptr<const Artifact>> Job::compile(ArtifactKind kind) const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  return open.session().jobs.compile(open.job(), kind);
}

Result<Kernel> Job::prepare(const Device &device) const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  LaunchService &launches = open.session().launches;
  KILN_CHECK(launches.devices().check(device));
  KILN_CHECK(launches.check_target(*this, device));
  return launches.prepare(open.job(), device);
}

Result<CompilerJob> HeldJobs::job_of(const Job &job) const {
  if (!job) return usage_error("an empty Job: Session::job makes them");
  if (job.state_->jobs.get() != this)
    return usage_error(fmt::format("the job {} is another session's", job.state_->call));
  std::lock_guard lock(job.state_->mutex);
  return job.state_->job;
}

Result<HostFunction> Job::prepare_function() const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  return open.session().launches.host_function(open.job());
}

Result<JobLabel> Job::label() const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  return guard_target(open.job().config,
                      [&]() -> Result<JobLabel> { return open.session().jobs.label(open.job()); });
}

Result<std::optional<GpuCode>> Job::gpu_code() const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  const CompilerConfig &config = open.job().config;
  return guard_target(config, [&]() -> Result<std::optional<GpuCode>> {
    return open.session().jobs.target_of(open.job()).gpu_code(config.target);
  });
}

Result<std::string> Job::digest() const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  JobService &jobs = open.session().jobs;
  const CompilerJob &job = open.job();
  KILN_TRY(const Fingerprint code, guard_target(job.config, [&] { return jobs.code_digest(job); }));
  return Fingerprinter().add(code).add(config_json(job.config)).add(jobs.compiler().toolchain).finish().hex();
}

Result<TypeRef> return_type(const Job &held) {
  OpenJob open(HeldJobs::state_of(held));
  KILN_CHECK(open.check());
  return with_stack(stack_for_limits, [&]() -> Result<TypeRef> {
    const CompilerJob &job = open.job();
    KILN_TRY(const CodeInstance *code,
             guard_target(job.config, [&] { return open.session().jobs.typed(job); }));
    return code->result.type;
  });
}

Result<std::string> Job::return_type() const {
  KILN_TRY(TypeRef type, kiln::return_type(*this));
  return spell(type);
}

Result<Job> Job::renew() const {
  OpenJob open(state_.get());
  KILN_CHECK(open.check());
  KILN_TRY(CompilerJob job, state_->jobs->resolve_now(*state_));
  KILN_TRY(auto state, state_->jobs->hold(job));
  return Job(std::move(state));
}

void Job::attach(const void *key, std::shared_ptr<void> data) const {
  if (!state_ || !state_->jobs->is_of_this_process() || !state_->jobs->session()) return;
  {
    std::lock_guard lock(state_->mutex);
    if (state_->is_stale.load(std::memory_order_relaxed)) return;
    std::swap(state_->data[key], data); // the lock is released before the old data is freed
  }
  state_->jobs->keep(state_);
}

std::shared_ptr<void> Job::attached(const void *key) const {
  if (!state_ || !state_->jobs->is_of_this_process()) return nullptr;
  std::lock_guard lock(state_->mutex);
  auto found = state_->data.find(key);
  return found == state_->data.end() ? nullptr : found->second;
}

// ---- scopes

JobScope::JobScope(std::shared_ptr<State> state) : state_(std::move(state)) {}
JobScope::JobScope(JobScope &&) noexcept = default;
JobScope &JobScope::operator=(JobScope &&other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}
JobScope::~JobScope() {
  if (state_ && state_->jobs->is_of_this_process()) state_->jobs->close(state_);
}

std::vector<Job> JobScope::jobs() const {
  std::vector<Job> all;
  if (!state_ || !state_->jobs->is_of_this_process()) return all;
  std::lock_guard lock(state_->mutex);
  for (const auto &job : state_->collected) all.push_back(Job(job));
  return all;
}

// ---- kiln/session.h

JobScope Session::collect_jobs() {
  if (!state_->gate.is_of_this_process()) return JobScope(std::shared_ptr<JobScope::State>());
  auto scope = std::make_shared<JobScope::State>();
  scope->jobs = state_->jobs.held();
  scope->jobs->open(scope);
  return JobScope(std::move(scope));
}

Result<Job> Session::job(std::string_view call, const CompilerConfig &config) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  auto use = state_->jobs.use();
  KILN_TRY(ResolvedCall resolved, state_->definitions.resolve_call(call));
  return job(resolved.function, resolved.arguments, config, resolved.at);
}

Result<Job> Session::job(const Value &function, std::span<const Type *const> arguments,
                         const CompilerConfig &config, const Location &at) {
  CallScope scope(state_->gate);
  KILN_CHECK(scope.check());
  auto use = state_->jobs.use();
  KILN_TRY(CompilerJob job, state_->jobs.job(function, arguments, config, at));
  return state_->jobs.hold(job);
}

Result<HostFunction> Session::prepare_function(std::string_view call, const CompilerConfig &given) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  auto use = state_->jobs.use();
  CompilerConfig config = state_->jobs.chosen(given);
  config.kernel = false;
  KILN_TRY(CompilerJob job, state_->jobs.job(call, config));
  return state_->launches.host_function(std::move(job));
}

} // namespace kiln
