// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include "stream.h"

#include <targets/targets.h>

#include <thread>

namespace kiln {

Session::Session(std::unique_ptr<State> state) : state_(std::move(state)) {}
Session::~Session() = default;

Result<std::unique_ptr<Session>> Session::open(const SessionOptions &options) {
  std::unique_ptr<Session> session(new Session(std::make_unique<State>(options)));
  State &s = *session->state_;
  std::thread warm;
  if (options.warm_up)
    warm = std::thread([&s, config = *options.warm_up]() mutable {
      const Target &target = find_target(config.target.kind);
      // A fault here is the job's to report, with its place.
      if (auto spec = target.check(config.target); spec.ok()) {
        config.target = *spec;
        (void)s.driver.warm_up(config, target);
      }
    });
  Result<void> loaded = s.load_library();
  if (warm.joinable()) {
    StageScope scope(&s.timer, Stage::Preparation);
    warm.join();
  }
  KILN_CHECK(std::move(loaded));
  return session;
}

Result<LoadSummary> Session::load(const std::string &name, const std::string &text) { return state_->load(name, text); }

Result<LoadSummary> Session::load_file(const std::string &path) {
  KILN_TRY(std::string text, read_file(path, uint64_t(1) << 28));
  return state_->load(path, std::move(text));
}

Result<std::shared_ptr<const Artifact>> Session::compile(std::string_view call, const CompilerConfig &config, ArtifactKind kind) {
  auto use = state_->code.use(); // what the job names stays until it is compiled
  KILN_TRY(CompilerJob job, state_->job(call, config));
  return state_->compile(job, kind);
}

Result<void> Session::launch(std::string_view function, const LaunchShape &shape, std::span<const Argument> arguments, const CompilerConfig &given, const LaunchOptions &options) {
  State &s = *state_;
  CompilerConfig config = given;
  if (config.target.kind != TargetKind::Native) return usage_error("launch runs on the CPU: the config's target must be native");
  config.kernel = true;
  if (options.time_limit.count()) config.interruptible = true;
  std::string call(function);
  std::string types;
  std::vector<void *> pointers;
  for (const Argument &argument : arguments) {
    types += (types.empty() ? "" : ", ") + argument.type;
    if (!argument.bytes.empty()) pointers.push_back(const_cast<std::byte *>(argument.bytes.data()));
  }
  auto prepare = [&]() -> Result<PreparedFunction> {
    auto use = s.code.use();
    KILN_TRY(CompilerJob job, s.job(call + "(" + types + ")", config));
    return s.prepare(job);
  };
  KILN_TRY(PreparedFunction prepared, prepare());
  if (prepared.artifact->parameters.size() != pointers.size())
    return usage_error(fmt::format("{} takes {} arguments with bytes, got {}", call, prepared.artifact->parameters.size(), pointers.size()));
  size_t i = 0;
  for (const Argument &argument : arguments) {
    if (argument.bytes.empty()) continue;
    if (prepared.artifact->parameters[i].size != argument.bytes.size())
      return usage_error(fmt::format("argument {} of {}: {} is {} bytes, got {}", i + 1, call, argument.type, prepared.artifact->parameters[i].size, argument.bytes.size()));
    i++;
  }
  return s.launch(prepared, shape, pointers, options);
}

Result<Kernel> Session::prepare(std::string_view call, const CompilerConfig &given) {
  State &s = *state_;
  CompilerConfig config = given;
  if (config.target.kind != TargetKind::Native) return usage_error("prepare loads for the CPU: the config's target must be native");
  config.kernel = true;
  auto use = s.code.use();
  KILN_TRY(CompilerJob job, s.job(call, config));
  KILN_TRY(PreparedFunction prepared, s.prepare(job));
  auto state = std::make_shared<Kernel::State>();
  for (const Artifact::Parameter &parameter : prepared.artifact->parameters) state->sizes.push_back(parameter.size);
  state->prepared = std::move(prepared);
  return Kernel(std::move(state));
}

Result<void> Session::launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments, const LaunchOptions &options) {
  if (!kernel) return usage_error("a launch of an empty handle: Session::prepare makes kernels");
  // Compiled code only reads its parameters' bytes.
  std::span pointers(const_cast<void *const *>(arguments.data()), arguments.size());
  return state_->launch(kernel.state_->prepared, shape, pointers, options);
}

Stream Session::stream() { return Stream(std::make_unique<Stream::State>(*state_)); }

TimingReport Session::timings() const { return state_->timer.report(); }
std::string Session::trace() const { return state_->timer.trace_json(); }

Session::Counters Session::counters() const {
  CacheCounters objects = state_->objects.counters();
  const InferenceCounters &inference = state_->code.counters();
  return {objects.misses - objects.failures, objects.hits, objects.waits, inference.inferred.load(), inference.hits.load(),
          objects.bytes, objects.evicted, inference.bytes.load(), inference.dropped.load()};
}

} // namespace kiln
