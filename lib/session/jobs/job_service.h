// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Service JobService of a session: resolves calls to jobs, and makes typed code, products and keys of jobs.
// Files:
//   resolve       resolves a call to a job
//   products      compiles a job to its products
//   held_jobs     jobs that the embedder holds; held_job: their public handle
//   trace         writes the session's jobs to a file, for kiln precompile
//   observers     observers of products; dump: observer that writes to KILN_DUMP_DIR
//   named_hooks   hooks that options select by name
//   compile_queue threads that compile in the background; many: futures and batches
//   device_code   @device_code_llvm and similar macros
//   ir_functions  functions whose body is the embedder's LLVM IR; host_functions: the embedder's C functions
#pragma once

#include "compile_queue.h"
#include "held_jobs.h"
#include "named_hooks.h"
#include "observers.h"

#include <session/define/definitions.h>

#include <devices/devices.h>
#include <pipeline/pipeline.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace kiln {

bool is_function_name(std::string_view text); ///< for define_ir and define_host_function
/// Makes the table of host functions from SessionOptions::symbols and find_symbol. find_symbol must not call
/// the session.
std::shared_ptr<HostFunctions> make_host_functions(const SessionOptions &options, const Log &log);

/// While it lives, jobs that this thread resolves do not call SessionOptions::on_job, since the requesting
/// thread has called it for them.
class AnnouncedRequests {
public:
  AnnouncedRequests() { ++depth_; }
  ~AnnouncedRequests() { --depth_; }
  AnnouncedRequests(const AnnouncedRequests &) = delete;
  AnnouncedRequests &operator=(const AnnouncedRequests &) = delete;
  static bool is_active() { return depth_ != 0; }

private:
  static thread_local int depth_;
};

/// Resolves, compiles and caches the jobs of a session. Thread-safe. Hold use() from the making of a
/// CompilerJob to its last use; otherwise a later definition may free the method that the job refers to.
class JobService {
public:
  /// All referenced objects must outlive the JobService. `persistent` and `processes` may be null. `owner` is
  /// the session, for job handles.
  JobService(const SessionOptions &options, SessionLog &log, Definitions &definitions, TargetList targets,
             PersistentCache *persistent, WorkerProcessesPtr processes, Session::State &owner);
  ~JobService();
  /// Refuses new background work, drops pending work and waits for running work. May be called twice.
  void close();

  // ---- requests
  const CompilerConfig &default_config() const { return default_config_; }
  /// Returns the config to use: the session's default config if `given` is session_default(), else `given`.
  const CompilerConfig &chosen(const CompilerConfig &given) const {
    return &given == &session_default() ? default_config_ : given;
  }
  /// Calls SessionOptions::on_job. Error: the hook's.
  Result<void> announce(std::string_view call, const CompilerConfig &config);

  // ---- jobs (resolve.cpp)
  /// Makes the job of `function` on arguments of these types. `at` is the source place of the call. Errors:
  /// Usage for a bad config; Input (MethodError, TypeError, KernelError).
  KILN_PROGRAMS_API Result<CompilerJob> job(const Value &function, std::span<const TypeRef> arguments,
                                            const CompilerConfig &config, const Location &at = {});
  /// Makes the job of a call that is text in the session's language. Errors: also those of
  /// Definitions::resolve_call.
  Result<CompilerJob> job(std::string_view call, const CompilerConfig &config);
  /// Makes the job of a launch by name. `types` has the form of Argument::type.
  Result<CompilerJob> job(std::string_view function, std::span<const std::string_view> types,
                          const CompilerConfig &config);
  /// Makes the job of an entry of a PrecompileList, whose files are loaded already.
  Result<CompilerJob> job(const PrecompileJob &wanted);
  /// Makes a job from a list of types, the function's type first. JobScopes do not collect it.
  KILN_PROGRAMS_API Result<CompilerJob> job_of_types(std::span<const TypeRef> all,
                                                     const CompilerConfig &config, const Location &at = {});
  /// Returns true while a JobScope is open (Session::collect_jobs). Launches by name must then resolve their
  /// job, although their kernel is cached.
  bool is_collecting() const { return held_->open_scopes().load(std::memory_order_relaxed) != 0; }

  // ---- held jobs
  Result<Job> hold(const CompilerJob &job);
  Result<CompilerJob> job_of(const Job &job) const { return held_->job_of(job); }
  const std::shared_ptr<HeldJobs> &held() { return held_; }

  // ---- typed code
  CodeInstanceTable::Use use() { return definitions_.use(); }
  /// Returns the typed code of a job, inferred or cached. It is valid while the caller holds use(). Errors:
  /// those of inference.
  KILN_PROGRAMS_API Result<const CodeInstance *> typed(const CompilerJob &job);
  /// Returns the results of inference alone, which a process with a filled cache need not infer. Errors:
  /// those of inference.
  KILN_PROGRAMS_API Result<CodeSummary> summary(const CompilerJob &job);
  InferenceFacts facts_of(const CompilerJob &job) const {
    return inference_facts(definitions_.world(), job.config, target_of(job), targets_);
  }

  // ---- products (products.cpp)
  /// Compiles a job and returns the artifact, alone or with its keys. Errors: those of Compiler; Usage for an
  /// unknown product.
  KILN_PROGRAMS_API Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, ArtifactKind kind);
  Result<Compiled> compile_with_keys(const CompilerJob &job, ArtifactKind kind);
  /// Makes a cubin with the session's assembler, or with the assembler from `fallback` if the session has
  /// none.
  Result<Compiled> cubin(const CompilerJob &job, const std::function<std::unique_ptr<Assembler>()> &fallback);
  /// A cubin by this assembler.
  Result<Compiled> cubin_by(const CompilerJob &job, const Assembler &assembler);
  /// Makes quickly assembled code (Compiler::quick). A null artifact: the job gains nothing from it; use
  /// cubin().
  Result<Compiled> quick_cubin(const CompilerJob &job);
  /// Makes code of the first tier (Compiler::first_tier). A null artifact: use compile_with_keys().
  Result<Compiled> first_tier(const CompilerJob &job);
  /// Like Compiler::loadable and Compiler::assemble_many, for jobs of any targets.
  Result<Compiled> loadable(const CompilerJob &job) { return compiler_.loadable(job, target_of(job)); }
  std::vector<Result<Compiled>> assemble_many(std::span<const CompilerJob> jobs);
  /// While the result lives, timed stages of this thread count for the job. `continues`: continue the job's
  /// earlier row without counting another call.
  TimedJob timed(const CompilerJob &job, bool continues = false) const;
  JobLabel label(const CompilerJob &job) const; ///< as in timing reports

  // ---- targets, keys
  const TargetList &targets() const { return targets_; }
  const Target &target_of(const CompilerJob &job) const { return targets_.of(job.config.target); }
  bool has_assembler(const Target &target);
  Assemblers &assemblers() { return assemblers_; }
  Result<KeyExplanation> explain_key(const CompilerJob &job, ArtifactKind kind) {
    return compiler_.explain_key(job, target_of(job), kind);
  }
  AssembledKeys assembled_keys(const CompilerConfig &config, const Artifact &assembly) {
    return compiler_.assembled_keys(config, assembly, targets_.of(config.target));
  }
  /// Returns a digest of a job's code. Jobs with equal digests have equal products. Errors: those of
  /// inference.
  Result<Fingerprint> code_digest(const CompilerJob &job) {
    return compiler_.code_digest(job, target_of(job));
  }

  // ---- parts, for the session
  SessionLog &log() { return log_; }
  Definitions &definitions() { return definitions_; }
  Compiler &compiler() { return compiler_; }
  const Compiler &compiler() const { return compiler_; }
  ObjectCache &objects() { return objects_; }
  PersistentCache *persistent() { return persistent_; } ///< may be null
  CompileQueue &queue() { return queue_; }
  Observers &observers() { return observers_; }
  NamedHooks &hooks() { return hooks_; }
  WorkerProcesses *processes() { return processes_.get(); } ///< may be null
  SessionCounters counters() const;
  Result<void> define_ir(const IrFunction &function);
  Result<void> define_host_function(const std::string &name, const HostSignature &signature, void *address);
  const std::shared_ptr<HostFunctions> &host_functions() const { return host_functions_; }
  /// Receives products of @device_code_llvm and similar macros (SessionOptions::device_code).
  std::function<void(const DeviceCode &)> device_code;

private:
  Result<CompilerJob> make_job(std::span<const TypeRef> all, const CompilerConfig &config,
                               const Location &at);
  Error no_method(const MethodMatch &match, std::span<const TypeRef> all, Symbol overlay, WorldAge age,
                  const Location &at);
  std::string config_text(const CompilerJob &job) const; ///< TimingJob::config
  void note(const CompilerJob &job, ArtifactKind kind, const Compiled &made);
  /// Returns the place for TimingJob::file. The caller must hold use().
  Location user_place(const CompilerJob &job) const;
  /// If `made` is an error about a symbol that an IR function calls, adds the place in the embedder's IR.
  Result<Compiled> placed(Result<Compiled> made) const;

  const CompilerConfig default_config_;
  const std::function<Result<void>(const JobRequest &)> on_job_; ///< may be empty
  SessionLog &log_;
  Definitions &definitions_;
  const TargetList targets_;
  PersistentCache *const persistent_;
  const std::unique_ptr<EdgeCache> edges_; ///< null without `persistent_`
  ObjectCache objects_;
  const WorkerPoolPtr workers_;
  const WorkerProcessesPtr processes_;
  Assemblers assemblers_;
  Observers observers_;
  IrFunctions ir_;
  const std::shared_ptr<HostFunctions> host_functions_; ///< shared with loaded code
  std::mutex host_mutex_;                               ///< serialises definitions of host functions
  std::map<std::string, std::string> host_methods_;     ///< "f(Int32)" to its symbol; under the mutex
  NamedHooks hooks_;
  const std::unique_ptr<TraceRecorder> trace_; ///< may be null
  const std::shared_ptr<HeldJobs> held_;
  Compiler compiler_;
  mutable std::mutex defaults_mutex_;                               ///< guards the following
  mutable std::unordered_map<const Target *, TargetSpec> defaults_; ///< the default options of each target
  CompileQueue queue_; ///< last member, so that it is destroyed first: its threads use the others
};

} // namespace kiln
