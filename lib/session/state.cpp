// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "session.h"

#include <support/stack.h>

#include <filesystem>

namespace kiln {

namespace {

std::unique_ptr<DumpObserver> make_dump(const SessionOptions &options, const TargetList &targets, Log &log) {
  std::string dir = dump_folder(options);
  return dir.empty() ? nullptr : std::make_unique<DumpObserver>(std::move(dir), targets, log);
}

} // namespace

Session::State::State(const SessionOptions &given, TargetList of_session,
                      std::shared_ptr<VisibleCode> visible, WorkerProcessesPtr of_workers)
    : options(given), log(log_level(given), log_sink(given)),
      runtime(make_of_process<SessionRuntime>(executor_options(given), given.device_allocator,
                                              given.nvtx ? Nvtx::of_process() : nullptr, given.timer)),
      timer(runtime->timer), kernels(runtime->kernels), sources(runtime->sources),
      executor(*runtime->executor), targets(std::move(of_session)), world(types, sources), interpreter(world),
      languages(language_host()), code(world, given.inference_budget),
      persistent(open_cache(given, log, timer)),
      edges(persistent ? std::make_unique<EdgeCache>(*persistent) : nullptr), objects(given.artifact_budget),
      workers(make_worker_pool(given.compile_threads)), processes(std::move(of_workers)),
      assemblers(processes.get()), observers(make_dump(given, targets, log), &log),
      trace(trace_file(given).empty()
                ? nullptr
                : std::make_unique<TraceRecorder>(trace_file(given), world, languages, load_mutex, log)),
      jobs(world, code, targets, languages, load_mutex, timer), held(std::make_shared<HeldJobs>(this)),
      compiler{.world = world,
               .code = code,
               .objects = objects,
               .workers = *workers,
               .assemblers = assemblers,
               .targets = targets,
               .timer = &timer,
               .observer = &observers,
               .colour = options.colour,
               .toolchain = toolchain_id(build_digest()),
               .persistent = persistent.get(),
               .edges = edges.get(),
               .ir = &ir,
               .warn =
                   [this](const Diagnostic &warning) {
                     if (!UnobservedScope::is_active()) log.warn("{}", render(warning));
                   },
               .processes = processes.get()},
      products(compiler, targets, trace.get(), kernels, timer, log),
      prepared(products, code, objects, timer, std::move(visible)), devices(runtime),
      tier(*this, given.quick_tier), coarsener(*this, given.coarsen),
      launcher(code, targets, jobs, prepared, devices, &tier, &coarsener), queue(given.compile_threads) {
  if (processes) processes->pool().set_timer(&timer);
  if (given.allocations && !given.timer) timer.set_allocation_counter(given.allocations);
  jobs.collectors = &held->open_scopes();
  jobs.on_job = [this](const CompilerJob &job) {
    if (jobs.is_collecting()) held->collect(job);
  };
  code.set_oldest_needed([this] { return held->oldest_needed(); });
  objects.set_persistent(persistent.get());
  objects.set_users([this] { return launcher.table().artifacts_in_use(); });
  objects.set_dropped([this] { prepared.drop_unused(); });
  load_mutex.on_release(
      [this] { return suspend_evaluation(interpreter); },
      [this](std::shared_ptr<void> state) { resume_evaluation(interpreter, std::move(state)); });
  interpreter.set_array_adapter([this](const Value &array) { return adapt(array); });
}

LanguageHost Session::State::language_host() {
  auto key_of = [](Fingerprint key) {
    return Fingerprinter().add("of a language").add(build_digest()).add(key).finish();
  };
  return {.world = world,
          .interpreter = interpreter,
          .timer = &timer,
          .debug = [this](std::string_view line) { log.debug("{}", line); },
          .find_kept = [this, key_of](Fingerprint key) -> std::optional<std::string> {
            std::optional<std::string> content =
                persistent ? persistent->find_content(key_of(key)) : std::nullopt;
            if (!content) return std::nullopt;
            auto text = read_text(*content);
            if (text.ok()) return std::move(*text);
            persistent->drop_damaged(key_of(key), text.error());
            return std::nullopt;
          },
          .keep =
              [this, key_of](Fingerprint key, std::string bytes) {
                if (persistent) persistent->publish_content(key_of(key), text_content(bytes));
              },
          .prepare_host = [this]() -> Result<bool> {
            if (prepare_host) KILN_CHECK(std::exchange(prepare_host, nullptr)());
            return package_host != nullptr;
          }};
}

void Session::State::close() {
  closing_.store(true, std::memory_order_relaxed);
  tier.stop();
  coarsener.stop();
  queue.close();
  held->close();
}

Result<LoadSummary> Session::State::load(const std::string &name, std::string text, std::string base) {
  auto read = [&]() -> Result<LoadReport> {
    auto use = code.use();
    std::unique_lock lock(load_mutex, std::defer_lock);
    lock_timed(lock, &timer, Stage::WaitForLoad);
    std::shared_ptr<const SourceFile> file = sources.add(name, std::move(text), false, base);
    KILN_TRY(LoadReport report, languages.of_file(name).load(world, *world.main(), file));
    if (trace) trace->loaded(name, file->text(), base);
    return report;
  };
  Result<LoadReport> loaded = with_stack(stack_for_limits, read); // the lock is that stack's thread's
  held->definitions_changed();                                    // what stands in front of a fault counts
  KILN_TRY(LoadReport report, std::move(loaded));
  LoadSummary summary{report.methods, report.types, {}, {}};
  for (const auto &skipped : report.skipped) {
    LineColumn at = skipped.at ? skipped.at.file->position(skipped.at.begin) : LineColumn{};
    summary.notes.push_back(fmt::format("{}:{}: not run: {}", skipped.at ? skipped.at.file->name() : name,
                                        at.line, skipped.what));
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

Result<void> Session::State::load_files(std::span<const PrecompileFile> files) {
  for (const PrecompileFile &file : files) {
    KILN_TRY(std::string text,
             read_file((std::filesystem::path(file.folder) / file.name).string(), uint64_t(1) << 28));
    KILN_CHECK(load(file.name, std::move(text), file.folder));
  }
  return {};
}

Result<PreparedFunction> Session::State::prepare(const CompilerJob &job) {
  auto use = code.use();
  return prepared.function(job);
}

Result<void> Session::State::launch(const PreparedFunction &function, const LaunchShape &shape,
                                    std::span<void *const> arguments, const LaunchOptions &options) {
  return run_kernel(*runtime, function, shape, arguments, options);
}

Result<Value> Session::State::call(const PreparedFunction &function, std::span<void *const> arguments) {
  StageScope scope(&timer, Stage::Launch);
  abi::ExceptionRecord record{};
  std::vector<std::byte> result(std::max<uint64_t>(function.artifact->return_size, 16));
  KILN_CHECK(run_function(function.code->function(), arguments, result.data(), record));
  if (record.status) return exception_error(record, sources);
  if (types.is_singleton(function.result)) return types.singleton_value(function.result);
  return from_bytes(types, function.result, result.data());
}

} // namespace kiln
