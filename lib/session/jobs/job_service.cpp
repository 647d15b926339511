// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_service.h"

#include "dump.h"
#include "trace.h"

#include <session/build_digest.h>
#include <session/options/environment.h>

namespace kiln {

namespace {

std::unique_ptr<DumpObserver> make_dump(const SessionOptions &options, const TargetList &targets, Log &log) {
  std::string dir = dump_folder(options);
  return dir.empty() ? nullptr : std::make_unique<DumpObserver>(std::move(dir), targets, log);
}

std::unique_ptr<TraceRecorder> make_trace(const SessionOptions &options, Definitions &definitions, Log &log) {
  std::string file = trace_file(options);
  return file.empty() ? nullptr : std::make_unique<TraceRecorder>(std::move(file), definitions, log);
}

} // namespace

JobService::JobService(const SessionOptions &options, SessionLog &log, Definitions &definitions,
                       TargetList targets, PersistentCache *persistent, WorkerProcessesPtr processes,
                       Session::State &owner)
    : device_code(options.device_code), default_config_(options.default_config), on_job_(options.on_job),
      log_(log), definitions_(definitions), targets_(std::move(targets)), persistent_(persistent),
      edges_(persistent ? std::make_unique<EdgeCache>(*persistent) : nullptr),
      objects_(options.artifact_budget), workers_(make_worker_pool(options.compile_threads)),
      processes_(std::move(processes)), assemblers_(processes_.get()),
      observers_(make_dump(options, targets_, log.log), &log.log),
      host_functions_(make_host_functions(options, log.log)),
      trace_(make_trace(options, definitions, log.log)), held_(std::make_shared<HeldJobs>(owner)),
      compiler_{.world = definitions.world(),
                .code = definitions.code(),
                .objects = objects_,
                .workers = *workers_,
                .assemblers = assemblers_,
                .targets = targets_,
                .timer = &log.timer,
                .observer = &observers_,
                .colour = options.colour,
                .toolchain = toolchain_id(build_digest()),
                .persistent = persistent,
                .edges = edges_.get(),
                .ir = &ir_,
                .may_compile = kiln::may_compile(options),
                .warn =
                    [&log](const Diagnostic &warning) {
                      if (!UnobservedScope::is_active()) log.log.warn("{}", render(warning));
                    },
                .processes = options.worker_processes ? processes_.get() : nullptr,
                .assemble_limit = kiln::assemble_limit(options)},
      queue_(options.compile_threads) {
  if (processes_) processes_->pool().set_timer(&log.timer);
  definitions.set_trace(trace_.get());
  definitions.on_change([this] { held_->definitions_changed(); });
  definitions.code().set_oldest_needed([this] { return held_->oldest_needed(); });
  objects_.set_persistent(persistent);
}

JobService::~JobService() { close(); }

void JobService::close() {
  queue_.close();
  held_->close();
}

Result<Job> JobService::hold(const CompilerJob &job) {
  KILN_TRY(auto held, held_->hold(job));
  return HeldJobs::as_job(std::move(held));
}

Result<const CodeInstance *> JobService::typed(const CompilerJob &job) {
  return definitions_.code().get(*job.source, facts_of(job), job.world);
}

Result<CodeSummary> JobService::summary(const CompilerJob &job) {
  return compiler_.summary(job, target_of(job));
}

bool JobService::has_assembler(const Target &target) {
  return !assemblers_.identity(target, persistent_).empty();
}

SessionCounters JobService::counters() const {
  // The disk counters are read before those of objects_. A compile that a remote hit overtook increases the
  // misses of objects_ first, so that `compiled` below cannot become negative.
  const PersistentCounters disk = persistent_ ? persistent_->counters() : PersistentCounters();
  const CacheCounters objects = objects_.counters();
  const InferenceCounters &inference = definitions_.code().counters();
  return {.compiled = objects.misses - objects.failures - disk.remote_late,
          .hits = objects.hits,
          .waits = objects.waits,
          .inferred = inference.inferred.load(),
          .inference_hits = inference.hits.load(),
          .artifact_bytes = objects.bytes,
          .artifacts_evicted = objects.evicted,
          .inference_bytes = inference.bytes.load(),
          .inferred_dropped = inference.dropped.load(),
          .disk_hits = disk.hits,
          .disk_misses = disk.misses,
          .edge_hits = disk.edge_hits,
          .edge_misses = disk.edge_misses,
          .damaged = disk.damaged,
          .llvm_contexts = contexts_made(*workers_),
          .assembled = compiler_.assembler_calls.load(),
          .merged = compiler_.kernels_merged.load(),
          .quick = compiler_.quick_kernels.load(),
          .swapped = compiler_.kernels_swapped.load(),
          .coarsened = compiler_.kernels_coarsened.load(),
          .remote_requests = disk.remote_requests,
          .remote_hits = disk.remote_hits,
          .remote_misses = disk.remote_misses,
          .remote_errors = disk.remote_errors,
          .remote_late = disk.remote_late,
          .remote_published = disk.remote_published,
          .remote_missing = disk.remote_missing,
          .remote_joined = disk.remote_joined,
          .remote_compiled = disk.remote_compiled,
          .store_leases = disk.store_leases,
          .store_waits = disk.store_waits,
          .store_entries = disk.store.entries,
          .store_bytes = disk.store.bytes};
}

} // namespace kiln
