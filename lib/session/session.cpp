// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "call_scope.h"
#include "device_code.h"
#include "guarded_language.h"
#include "packages.h"
#include "worker_program.h"

#include <support/exceptions.h>
#include <support/float_environment.h>
#include <support/guard_target.h>
#include <support/stack.h>
#include <targets/targets.h>

#include <thread>

namespace kiln {

namespace {

/// The row of the opening, which began before there was a timer.
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

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() {
  const ErrnoScope restore;
  if (state_->runtime->is_of_this_process()) {
    state_->close(); // while callbacks still find it: what they ask of it is refused
    state_.reset();
  } else
    (void)state_.release(); // left as it is (lib/support/process.h)
}

Result<void> Session::check() const { return CallScope(*state_).check(); }
Result<void> Session::check_process() const {
  return state_->runtime->is_of_this_process() ? Result<void>() : of_parent_process();
}

Result<std::unique_ptr<Session>> Session::open(const SessionOptions &options) {
  const uint64_t began = Timer::now();
  const ErrnoScope restore;
  const EnvironmentScope environment(options.use_environment);
  const DefaultFloatEnvironment floats;
  KILN_CHECK(check_options(options));
  KILN_CHECK(check_environment());
  KILN_TRY(TargetList targets, call_embedder("name of a target of SessionOptions::targets",
                                             [&] { return list_targets(options.targets); }));
  KILN_TRY(auto visible, VisibleCode::open(options.gdb, options.perf_dir));
  KILN_TRY(WorkerProcessesPtr processes, make_worker_processes(options));
  std::unique_ptr<Session> session(new Session(
      std::make_unique<State>(options, std::move(targets), std::move(visible), std::move(processes))));
  State &s = *session->state_;
  if (!options.timer && (options.timings || options.trace_events))
    s.timer.enable(
        {options.trace_events, options.timing_passes, options.timings_since ? options.timings_since : began});
  const OpeningScope opening(s.timer, began);
  for (const FrontendFactory &make : options.languages) {
    KILN_TRY(std::unique_ptr<Frontend> made, call_embedder("SessionOptions::languages: a factory",
                                                           [&]() -> Result<std::unique_ptr<Frontend>> {
                                                             return make ? make(s.language_host()) : nullptr;
                                                           }));
    KILN_TRY(std::unique_ptr<Frontend> language,
             GuardedLanguage::make(std::move(made), [&s](std::string_view line) { s.log.warn("{}", line); }));
    KILN_CHECK(s.languages.add(std::move(language)));
  }
  KILN_CHECK(s.languages.choose(options.language));
  if (options.warm_up) {
    KILN_CHECK(guard_target(*options.warm_up, [&]() -> Result<void> {
      KILN_TRY(const Target *target, s.targets.find(options.warm_up->target.name()));
      return check_config(*options.warm_up, *target);
    }));
  }
  std::thread warm;
  if (options.warm_up)
    warm = std::thread([&s, config = *options.warm_up]() mutable {
      const EnvironmentScope environment(s.options.use_environment);
      StageScope scope(&s.timer, Stage::Preparation);
      // A fault here is the job's to report, with its place.
      (void)guard_target(config, [&]() -> Result<void> {
        const Target &target = s.targets.of(config.target);
        KILN_TRY(config.target, target.check(config.target));
        return s.compiler.warm_up(config, target);
      });
    });
  const PackageOptions packages = packages_of_environment();
  s.languages.find_packages(packages);
  if (auto offer = package_host_offer(); offer && (!packages.load_path.empty() || !packages.project.empty()))
    offer(*session);
  KILN_CHECK(add_device_code(s));
  Result<void> loaded = with_stack(stack_for_limits, [&] { return s.languages.load_libraries(s.targets); });
  if (warm.joinable()) {
    StageScope scope(&s.timer, Stage::WaitForWarmUp);
    warm.join();
  }
  KILN_CHECK(std::move(loaded));
  s.compiler.toolchain += s.languages.library_digest();
  return session;
}

Result<LoadSummary> Session::load(const std::string &name, const std::string &text) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  const DefaultFloatEnvironment floats;
  KILN_CHECK(check_text("the name of a text", name));
  return state_->load(name, text);
}

Result<LoadSummary> Session::load_file(const std::string &path) {
  CallScope call(*state_);
  KILN_CHECK(call.check());
  const DefaultFloatEnvironment floats;
  KILN_CHECK(check_text("the path of a file", path));
  auto read = [&] {
    StageScope scope(&state_->timer, Stage::ReadFiles);
    return read_file(path, uint64_t(1) << 28);
  };
  KILN_TRY(std::string text, read());
  return state_->load(path, std::move(text));
}

Result<std::shared_ptr<const Artifact>> Session::compile(std::string_view call, const CompilerConfig &config,
                                                         ArtifactKind kind) {
  CallScope scope(*state_);
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  auto use = state_->code.use(); // what the job names stays until it is compiled
  KILN_TRY(CompilerJob job, state_->job(call, config));
  return state_->compile(job, kind);
}

Observation Session::observe(ProductObserver observer, std::span<const ArtifactKind> kinds) {
  if (!state_->runtime->is_of_this_process()) return {};
  return state_->observers.add(std::move(observer), kinds);
}

void Session::flush_cache() {
  CallScope call(*state_);
  if (!call.check().ok() || !state_->persistent) return;
  StageScope scope(&state_->timer, Stage::CacheFlush);
  state_->persistent->flush();
}

void Session::wait_for_background() {
  CallScope call(*state_);
  if (call.check().ok() && !CompileQueue::is_inside()) state_->background.wait();
}

Session::Counters Session::counters() const {
  if (!state_->runtime->is_of_this_process()) return {};
  CacheCounters objects = state_->objects.counters();
  const InferenceCounters &inference = state_->code.counters();
  PersistentCounters disk = state_->persistent ? state_->persistent->counters() : PersistentCounters();
  return {objects.misses - objects.failures,
          objects.hits + state_->launcher.table().hits(),
          objects.waits,
          inference.inferred.load(),
          inference.hits.load(),
          objects.bytes,
          objects.evicted,
          inference.bytes.load(),
          inference.dropped.load(),
          disk.hits,
          disk.misses,
          disk.edge_hits,
          disk.edge_misses,
          disk.damaged,
          contexts_made(*state_->workers),
          state_->compiler.assembler_calls.load(),
          state_->compiler.kernels_merged.load(),
          state_->compiler.quick_kernels.load(),
          state_->compiler.kernels_swapped.load(),
          state_->compiler.kernels_coarsened.load()};
}

} // namespace kiln
