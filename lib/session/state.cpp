// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <runtime_sources.h>
#include <support/stack.h>
#include <targets/targets.h>

#include <cstring>

namespace kiln {

Session::State::State(const SessionOptions &given)
    : options(given), log(log_level(given)),
      runtime(std::make_shared<SessionRuntime>(executor_options(given))), timer(runtime->timer),
      kernels(runtime->kernels), sources(runtime->sources), executor(*runtime->executor),
      world(types, sources), interpreter(world), languages(world, interpreter, timer, log),
      code(world, given.inference_budget), objects(given.artifact_budget), workers(make_worker_pool()),
      jobs(world, code, targets, languages, load_mutex, timer),
      compiler{.world = world,
               .code = code,
               .objects = objects,
               .workers = *workers,
               .assemblers = assemblers,
               .timer = &timer,
               .observer = nullptr,
               .colour = options.colour,
               .toolchain = toolchain_id(build_digest())} {
  for (const Target *target : all_targets()) (void)targets.add(*target);
  if (given.allocations) timer.set_allocation_counter(given.allocations);
  if (given.timings || given.trace_events) timer.enable(given.trace_events);
  if (std::string dir = dump_folder(given); !dir.empty()) {
    dump = std::make_unique<DumpObserver>(std::move(dir), targets, log);
    compiler.observer = dump.get();
  }
  if (std::string path = trace_file(given); !path.empty())
    trace = std::make_unique<TraceRecorder>(std::move(path), world, languages, load_mutex, log);
  compiler.warn = [this](const Diagnostic &warning) { log.warn("{}", render(warning)); };
  open_cache();
  objects.set_users([this] { return launches->artifacts_in_use(); });
  objects.set_dropped([this] { drop_unused_code(); });
  interpreter.set_array_adapter([this](const Value &array) { return adapt(array); });
}

Result<LoadSummary> Session::State::load(const std::string &name, std::string text, std::string base) {
  auto use = code.use();
  std::lock_guard lock(load_mutex);
  std::shared_ptr<const SourceFile> file = sources.add(name, std::move(text), false, base);
  KILN_TRY(LoadReport report, with_stack(stack_for_limits, [&] {
             return languages.of_file(name).load(world, *world.main(), file);
           }));
  if (trace) trace->loaded(name, file->text(), base);
  LoadSummary summary{report.methods, report.types, {}, {}};
  for (const auto &skipped : report.skipped) {
    LineColumn at = skipped.at ? skipped.at.file->position(skipped.at.begin) : LineColumn{};
    summary.notes.push_back(fmt::format("{}:{}: not run: {}", name, at.line, skipped.what));
  }
  for (const Diagnostic &d : report.unresolved) summary.notes.push_back(render(d));
  for (const std::string &note : summary.notes) log.info("{}", note);
  for (const Diagnostic &warning : report.warnings) {
    LineColumn at = warning.at ? warning.at.file->position(warning.at.begin) : LineColumn{};
    summary.warnings.push_back(fmt::format("{}:{}:{}: {}", warning.at ? warning.at.file->name() : name,
                                           at.line, at.column, warning.message));
    log.warn("{}", summary.warnings.back());
  }
  return summary;
}

Result<Value> Session::State::evaluate(std::string_view name, std::string_view text) {
  auto use = code.use();
  std::lock_guard lock(load_mutex);
  return with_stack(stack_for_limits, [&] { return frontend().evaluate(world, *world.main(), name, text); });
}

Result<ObjectCache::ArtifactPtr> Session::State::compile(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  auto made = compiler.compile(job, targets.of(job.config.target), kind);
  if (trace && made.ok()) trace->record(job, kind);
  if (timer.enabled() && made.ok() && kind == ArtifactKind::Cubin)
    kernels.compiled(**made, job.config.target);
  return made;
}

Result<Compiled> Session::State::compile_with_keys(const CompilerJob &job, ArtifactKind kind) {
  KILN_CHECK(check_product(kind));
  return compiler.compile_with_keys(job, targets.of(job.config.target), kind);
}

Result<PreparedFunction> Session::State::prepare(const CompilerJob &job) {
  auto use = code.use();
  KILN_TRY(Compiled compiled, compile_with_keys(job, ArtifactKind::Object));
  if (trace) trace->record(job, ArtifactKind::Object);
  const ObjectCache::ArtifactPtr artifact = std::move(compiled.artifact);
  std::unique_lock lock(prepared_mutex_);
  if (auto it = prepared_.find(artifact.get()); it != prepared_.end()) return it->second;
  StageScope scope(&timer, Stage::Load);
  PreparedFunction prepared{.artifact = artifact,
                            .code = nullptr,
                            .parameters = {},
                            .memory = {},
                            .checked = job.config.check,
                            .interruptible = job.config.interruptible};
  const auto types_of_arguments = job.source->arguments->as<DataType>()->params();
  for (const Artifact::Parameter &parameter : artifact->parameters)
    prepared.parameters.push_back(types_of_arguments[parameter.argument]);
  prepared.memory = memory_parts(prepared.parameters);
  KILN_TRY(prepared.code, loader.load(artifact->bytes, artifact->entry));
  if (!job.config.kernel) {
    ByteReader recorded(artifact->return_type);
    TypeReader reader(world, job.world, recorded);
    if (TypeRef type = reader.type(); type && !reader.has_absent())
      prepared.result = type; // what is empty holds none
    if (!prepared.result) {
      KILN_TRY(const CodeInstance *typed,
               code.get(*job.source, inference_facts(types, job.config, targets.of(job.config.target)),
                        job.world));
      prepared.result = typed->result.type;
    }
  }
  prepared_.emplace(artifact.get(), prepared);
  lock.unlock();
  objects.charge(compiled.keys.back(), *artifact, prepared.code->bytes());
  return prepared;
}

// Code whose artifact the cache has dropped, and nobody else holds, goes with it.
void Session::State::drop_unused_code() {
  std::vector<PreparedFunction> native; // freed without the lock: unloading takes a while
  std::vector<PreparedCuda> cuda;
  std::lock_guard lock(prepared_mutex_);
  for (auto it = prepared_.begin(); it != prepared_.end();) {
    if (it->second.artifact.use_count() == 1)
      native.push_back(std::move(it->second)), it = prepared_.erase(it);
    else
      ++it;
  }
  for (auto it = kept_.begin(); it != kept_.end();) {
    if (it->second.artifact.use_count() <= 2)
      cuda.push_back(std::move(it->second)), it = kept_.erase(it); // two hold it here: entry and module
    else
      ++it;
  }
}

Result<void> Session::State::launch(const PreparedFunction &function, const LaunchShape &shape,
                                    std::span<void *const> arguments, const LaunchOptions &options) {
  StageScope scope(&timer, Stage::Launch);
  KILN_TRY(KernelLaunch launch, plan_launch(function, shape, arguments.size(), options));
  std::shared_ptr<AccessChecker> check = make_checker(function, arguments);
  launch.arguments = arguments;
  launch.checker = check.get();
  LaunchOutcome outcome;
  KILN_CHECK(executor.run(launch, outcome));
  return launch_result(outcome, check.get(), sources);
}

Result<KernelLaunch> plan_launch(const PreparedFunction &function, const LaunchShape &shape, size_t arguments,
                                 const LaunchOptions &options) {
  const Artifact &artifact = *function.artifact;
  if (arguments != artifact.parameters.size())
    return usage_error(fmt::format("{} takes {} arguments that have bytes, got {}", artifact.entry,
                                   artifact.parameters.size(), arguments));
  if (options.time_limit.count() < 0) return usage_error("a negative time limit");
  if (options.time_limit.count() && !function.interruptible)
    return usage_error(
        "a time limit for a kernel that was not compiled for one: set CompilerConfig::interruptible");
  KILN_CHECK(Executor::check(shape, artifact.shared_bytes));
  return KernelLaunch{.kernel = function.code->kernel(),
                      .shape = shape,
                      .arguments = {},
                      .static_shared_bytes = artifact.shared_bytes,
                      .time_limit = options.time_limit,
                      .checker = nullptr};
}

std::shared_ptr<AccessChecker> make_checker(const PreparedFunction &function,
                                            std::span<const void *const> arguments) {
  if (!function.checked) return nullptr;
  DeviceMemory memory = device_memory(*function.artifact, function.memory, arguments);
  return std::make_shared<AccessChecker>(std::move(memory.ranges), memory.has_pointers);
}

Result<Value> Session::State::call(const PreparedFunction &function, std::span<void *const> arguments) {
  StageScope scope(&timer, Stage::Launch);
  abi::ExceptionRecord record{};
  std::vector<std::byte> result(std::max<uint64_t>(function.artifact->return_size, 16));
  run_function(function.code->function(), arguments, result.data(), record);
  if (record.status) return exception_error(record, sources);
  if (types.is_singleton(function.result)) return types.singleton_value(function.result);
  return from_bytes(types, function.result, result.data());
}

} // namespace kiln
