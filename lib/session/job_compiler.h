// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a session's jobs to their products: by the target that a job's config names, noted in the trace and in
// the kernels' statistics.
#pragma once

#include <devices/devices.h>
#include <pipeline/pipeline.h>
#include <support/support.h>

#include <mutex>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace kiln {

class TraceRecorder;

/// Thread-safe. The caller holds a CodeInstanceTable::use() over the job and the call.
class JobCompiler {
public:
  /// All must outlive it. `trace`: null, or where jobs are recorded.
  JobCompiler(Compiler &compiler, const TargetList &targets, TraceRecorder *trace, KernelStats &kernels,
              Timer &timer, Log &log)
      : compiler_(compiler), targets_(targets), trace_(trace), kernels_(kernels), timer_(timer), log_(log) {}

  const Target &target_of(const CompilerJob &job) const { return targets_.of(job.config.target); }
  /// The job as reports of timings have it: "f(Float32, Int64)", "ptx sm_90".
  static std::string name_of(const CompilerJob &job);
  std::string target_text(const CompilerJob &job) const;
  std::string config_text(const CompilerJob &job) const; ///< TimingJob::config
  /// As long as it lives, what this thread times counts for the job.
  TimedJob timed(const CompilerJob &job, bool continues = false) const {
    return TimedJob(
        &timer_, [&] { return std::tuple(name_of(job), target_text(job), config_text(job)); }, continues);
  }
  InferenceFacts facts_of(const CompilerJob &job) const {
    return inference_facts(compiler_.world.types(), job.config, target_of(job), targets_);
  }
  /// The artifact alone, or with the keys under which it is kept. Errors: Compiler's; Usage, for a product
  /// that there is not.
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, ArtifactKind kind);
  Result<Compiled> compile_with_keys(const CompilerJob &job, ArtifactKind kind);
  /// What a device loads: a cubin by the session's assembler (Compiler::loadable), or by `fallback` where
  /// there is none.
  Result<ObjectCache::ArtifactPtr> cubin(const CompilerJob &job,
                                         const std::function<std::unique_ptr<Assembler>()> &fallback);
  /// Compiler::quick; null: cubin() is what a device loads.
  Result<ObjectCache::ArtifactPtr> quick_cubin(const CompilerJob &job);
  /// Compiler::assemble_many, for jobs of any targets.
  std::vector<Result<Compiled>> assemble_many(std::span<const CompilerJob> jobs);
  /// A cubin by this assembler.
  Result<ObjectCache::ArtifactPtr> cubin_by(const CompilerJob &job, const Assembler &assembler);

private:
  void note(const CompilerJob &job, ArtifactKind kind, const Compiled &made);
  Compiler &compiler_;
  const TargetList &targets_;
  TraceRecorder *const trace_;
  KernelStats &kernels_; ///< while the timer is on
  Timer &timer_;
  Log &log_;
  mutable std::mutex defaults_mutex_;                               ///< of what follows
  mutable std::unordered_map<const Target *, TargetSpec> defaults_; ///< each target's own
};

} // namespace kiln
