// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session_state.h"

#include "define/guarded_language.h"
#include "jobs/device_code.h"
#include "options/environment.h"
#include "options/worker_program.h"

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/internal/host_library.h>
#include <support/exceptions.h>
#include <support/float_environment.h>
#include <support/guard_target.h>
#include <support/stack.h>
#include <support/thread_name.h>
#include <targets/targets.h>

#include <thread>

namespace kiln {

namespace {

/// Times the opening of a session, which begins before the session's timer exists.
class OpeningScope {
public:
  OpeningScope(Timer &timer, uint64_t began) : timer_(timer) {
    if (timer.enabled()) token_ = timer.enter(stage_name(Stage::OpenSession), began);
  }
  ~OpeningScope() {
    if (token_.node) timer_.leave(token_);
  }
  OpeningScope(const OpeningScope &) = delete;
  OpeningScope &operator=(const OpeningScope &) = delete;

private:
  Timer &timer_;
  Timer::Token token_;
};

} // namespace

/// Creates the session's languages and chooses the language of calls.
static Result<void> add_languages(Session::State &s, const std::string &of_calls) {
  Languages &languages = s.definitions.languages();
  std::string chosen = of_calls.empty() ? "julia" : of_calls;
  for (const OfferedLanguage &offered : s.languages) {
    const std::string who = offered.file.empty() ? "SessionOptions::languages"
                                                 : fmt::format("the language library {}", offered.file);
    KILN_TRY(std::unique_ptr<Frontend> made,
             call_embedder([&] { return fmt::format("{}: a factory", who); },
                           [&]() -> Result<std::unique_ptr<Frontend>> {
                             return offered.make ? offered.make(s.definitions.language_host()) : nullptr;
                           }));
    if (!made) return usage_error(fmt::format("{}: a factory made no language", who));
    Frontend *const given = made.get();
    KILN_TRY(
        std::unique_ptr<Frontend> language,
        GuardedLanguage::make(std::move(made), [&s](std::string_view line) { s.log.log.warn("{}", line); }));
    if (of_calls.empty() && !offered.file.empty() && chosen == "julia") chosen = language->name();
    KILN_CHECK(languages.add(std::move(language), given, offered.file));
  }
  return languages.choose(chosen);
}

Session::State::State(const SessionOptions &options, TargetList targets, std::vector<OfferedLanguage> offered,
                      std::shared_ptr<VisibleCode> visible, WorkerProcessesPtr processes)
    : runtime(make_of_process<SessionRuntime>(executor_options(options), options.device_allocator,
                                              options.nvtx ? Nvtx::of_process() : nullptr, options.timer)),
      log(log_level(options), log_sink(options), *runtime), gate(*runtime, log.log, options.use_environment),
      languages(std::move(offered)), persistent(open_cache(options, log.log, log.timer)),
      definitions(log, runtime->sources, persistent.get(), options.inference_budget, options.host_library),
      jobs(options, log, definitions, std::move(targets), persistent.get(), std::move(processes), *this),
      launches(options, gate, jobs, runtime, std::move(visible)) {
  if (options.allocations && !options.timer) log.timer.set_allocation_counter(options.allocations);
}

void Session::State::close() {
  gate.close();
  launches.close();
  jobs.close();
}

bool Session::State::is_waited_for_here() {
  return !gate.check_wait().ok() || jobs.queue().is_inside() ||
         CallbackScope::is_inside(runtime->executor->stream_owner());
}

/// Gives the functions below access to private members of Session.
struct SessionServices {
  static Session::State &of(Session &session) { return *session.state_; }
};

SessionLog &log_of(Session &session) { return SessionServices::of(session).log; }
Definitions &definitions_of(Session &session) { return SessionServices::of(session).definitions; }
JobService &jobs_of(Session &session) { return SessionServices::of(session).jobs; }
LaunchService &launches_of(Session &session) { return SessionServices::of(session).launches; }
const CallGate &gate_of(Session &session) { return SessionServices::of(session).gate; }

namespace {

/// Finds open sessions by their World, since languages know only the World.
struct OpenWorlds {
  std::mutex mutex;
  std::unordered_map<const World *, Session *> sessions;
};
OpenWorlds &open_worlds() {
  static auto *all = new OpenWorlds; // never destroyed, since sessions may close while the process exits
  return *all;
}

} // namespace

Session *session_of(const World &world) {
  OpenWorlds &all = open_worlds();
  std::lock_guard lock(all.mutex);
  auto found = all.sessions.find(&world);
  return found == all.sessions.end() ? nullptr : found->second;
}

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {
  OpenWorlds &all = open_worlds();
  std::lock_guard lock(all.mutex);
  all.sessions[&state_->definitions.world()] = this;
}
Session::~Session() {
  const ErrnoScope restore;
  if (state_->gate.is_of_this_process() && state_->is_waited_for_here()) {
    // Closing would wait for this thread forever. The session refuses further calls, and its memory is kept.
    state_->gate.close();
    if (state_->gate.check_wait().ok())
      state_->log.log.write(LogLevel::Error,
                            "a session is closed by a thread that works for it: it stays in memory; close it "
                            "on another thread");
    static auto *const kept = new std::vector<std::unique_ptr<State>>;
    static std::mutex mutex;
    std::lock_guard lock(mutex);
    kept->push_back(std::move(state_));
  } else if (state_->gate.is_of_this_process()) {
    // Before the session is erased from the map: callbacks still find it, and their calls are refused.
    state_->close();
    {
      OpenWorlds &all = open_worlds();
      std::lock_guard lock(all.mutex);
      all.sessions.erase(&state_->definitions.world());
    }
    state_.reset();
  } else
    (void)state_.release(); // in a forked child the state is never destroyed (lib/support/process.h)
}

Result<void> Session::check() const { return CallScope(state_->gate).check(); }
Result<void> Session::check_process() const {
  return state_->gate.is_of_this_process() ? Result<void>() : of_parent_process();
}

Result<std::unique_ptr<Session>> Session::open(const SessionOptions &options, const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::session_structures()));
  const uint64_t began = Timer::now();
  const ErrnoScope restore;
  const EnvironmentScope environment(options.use_environment);
  const DefaultFloatEnvironment floats;
  KILN_CHECK(check_options(options));
  KILN_CHECK(check_environment());
  KILN_TRY(TargetList targets, call_embedder("name of a target of SessionOptions::targets",
                                             [&] { return list_targets(options.targets); }));
  KILN_TRY(std::vector<OfferedLanguage> offered, offered_languages(options));
  KILN_TRY(auto visible, VisibleCode::open(options.gdb, options.perf_dir));
  KILN_TRY(WorkerProcessesPtr processes, make_worker_processes(options));
  if (!remote_stores(options).empty()) use_strong_keys(); // before the first digest
  std::unique_ptr<Session> session(new Session(std::make_unique<State>(
      options, std::move(targets), std::move(offered), std::move(visible), std::move(processes))));
  State &s = *session->state_;
  if (!options.timer && (options.timings || options.trace_events))
    s.log.timer.enable({options.trace_events, options.timing_passes,
                        options.timings_since ? options.timings_since : began, options.timing_kernels});
  s.log.timer.note_session(build_digest(), cache_folder(options));
  Languages &languages = s.definitions.languages();
  const OpeningScope opening(s.log.timer, began);
  KILN_CHECK(add_languages(s, options.language));
  auto check = [&](const CompilerConfig &config) {
    return guard_target(config, [&]() -> Result<void> {
      KILN_TRY(const Target *target, s.jobs.targets().find(config.target.name()));
      return check_config(config, *target);
    });
  };
  KILN_CHECK(check(options.default_config));
  if (options.warm_up) KILN_CHECK(check(*options.warm_up));
  std::thread warm;
  if (options.warm_up)
    warm = std::thread([&s, config = *options.warm_up]() mutable {
      name_this_thread("kiln warm-up");
      const EnvironmentScope environment(s.gate.use_environment);
      StageScope scope(&s.log.timer, Stage::Preparation);
      // Errors are ignored here: the first job reports them, with its source place.
      (void)guard_target(config, [&]() -> Result<void> {
        const Target &target = s.jobs.targets().of(config.target);
        KILN_TRY(config.target, target.check(config.target));
        return s.jobs.compiler().warm_up(config, target);
      });
    });
  s.definitions.set_session(*session);
  languages.find_packages(options.packages ? *options.packages : packages_of_environment());
  KILN_CHECK(add_device_code(s.jobs));
  Result<void> loaded =
      with_stack(stack_for_limits, [&] { return languages.load_libraries(s.jobs.targets()); });
  if (warm.joinable()) {
    StageScope scope(&s.log.timer, Stage::WaitForWarmUp);
    warm.join();
  }
  KILN_CHECK(std::move(loaded));
  s.jobs.compiler().toolchain += languages.library_digest();
  if (s.definitions.types().printer()) // emitted IR contains messages in the language's notation
    s.jobs.compiler().toolchain += languages.of_calls().name();
  if (options.host_library) s.jobs.compiler().toolchain += options.host_library->digest();
  return session;
}

Result<LoadSummary> Session::load(const std::string &name, const std::string &text) {
  const ComputingCall call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(check_text("the name of a text", name));
  return state_->definitions.load(name, text);
}

Result<LoadSummary> Session::load_file(const std::string &path) {
  const ComputingCall call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(check_text("the path of a file", path));
  auto read = [&] {
    StageScope scope(&state_->log.timer, Stage::ReadFiles);
    return read_file(path, uint64_t(1) << 28);
  };
  KILN_TRY(std::string text, read());
  return state_->definitions.load(path, std::move(text));
}

Result<LoadSummary> Session::load_library(const std::string &name, const std::string &text) {
  const ComputingCall call(state_->gate);
  KILN_CHECK(call.check());
  KILN_CHECK(check_text("the name of a library", name));
  Definitions &definitions = state_->definitions;
  KILN_CHECK(definitions.languages().check_only_libraries(name));
  Result<LoadSummary> loaded = definitions.load_library(name, text);
  // Also after an error, since definitions before the error remain.
  definitions.languages().add_library(name, text);
  state_->jobs.compiler().toolchain += definitions.languages().library_digest();
  return loaded;
}

Result<void> Session::define(const std::function<Result<void>(World &)> &definitions) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  return state_->definitions.define(definitions);
}

World &Session::world() const { return state_->definitions.world(); }

Frontend *Session::language(std::string_view name) const {
  return state_->definitions.languages().find(name);
}

const CompilerConfig &Session::default_config() const { return state_->jobs.default_config(); }

Result<std::shared_ptr<const Artifact>> Session::compile(std::string_view call, const CompilerConfig &config,
                                                         ArtifactKind kind) {
  const ComputingCall scope(state_->gate);
  KILN_CHECK(scope.check());
  auto use = state_->jobs.use(); // keeps the job's definitions until it is compiled
  KILN_TRY(CompilerJob job, state_->jobs.job(call, config));
  return state_->jobs.compile(job, kind);
}

Observation Session::observe(ProductObserver observer, std::span<const ArtifactKind> kinds) {
  if (!state_->gate.is_of_this_process()) return {};
  return state_->jobs.observers().add(std::move(observer), kinds);
}

void Session::flush_cache() {
  CallScope call(state_->gate);
  if (!call.check().ok() || !state_->persistent) return;
  StageScope scope(&state_->log.timer, Stage::CacheFlush);
  state_->persistent->flush();
}

void Session::wait_for_background() {
  CallScope call(state_->gate);
  if (call.check().ok() && !state_->jobs.queue().is_inside()) state_->launches.wait_for_background();
}

Session::Counters Session::counters() const {
  if (!state_->gate.is_of_this_process()) return {};
  Counters counters = state_->jobs.counters();
  counters.hits += state_->launches.table_hits();
  return counters;
}

} // namespace kiln
