// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompile.h"
#include "job_sessions.h"

#include <session/session.h>
#include <support/exceptions.h>
#include <support/float_environment.h>

#include <algorithm>
#include <optional>
#include <set>

namespace kiln {

namespace {

class Run {
public:
  Run(std::span<const PrecompileJob> jobs, const PrecompileOptions &options)
      : jobs_(jobs), options_(options), sessions_(jobs, session_options(options), options.threads) {
    report_.counts.jobs = jobs.size();
  }

  Result<PrecompileReport> run() {
    std::vector<std::string> warned;
    std::mutex warn_mutex;
    const EnvironmentScope environment(options_.session.use_environment);
    const DefaultFloatEnvironment floats; // the threads start with it, too
    const Log silent;                     // the sessions warn
    std::shared_ptr<BlobStore> store = open_embedder_store(options_.session, silent);
    auto folder = store ? nullptr : open_folder(options_.session, [&](const std::string &message) {
      std::lock_guard lock(warn_mutex);
      warned.push_back(message);
    });
    if (!folder && !store)
      return usage_error(
          "there is no cache folder to fill: name one with KILN_CACHE_DIR or SessionOptions::cache_dir");
    sessions_.on_close([this](Session &session) {
      std::vector<TimingKernel> kernels = log_of(session).kernels.report();
      std::lock_guard lock(mutex_);
      std::ranges::move(kernels, std::back_inserter(report_.kernels));
    });
    sessions_.before_jobs(
        [this](Session &session, std::span<const size_t> jobs) { read_ahead(session, jobs); });
    const size_t most = options_.merge ? batch_size(jobs_.size(), sessions_.threads()) : 1;
    sessions_.for_each_batch(most, [&](std::span<const size_t> jobs, Result<Session *> session) {
      if (session.ok()) return compile(**session, jobs);
      for (size_t job : jobs) done(job, Result<Done>(session.error()));
    });
    if (thrown_) return std::move(*thrown_); // what was compiled is in the folder
    report_.changed = sessions_.changed();
    if (store) {
      for (Fingerprint key : made_) report_.missing += !get_blob(*store, key);
    } else if (report_.made && !folder->is_usable()) {
      std::string why = warned.empty()
                            ? fmt::format("the cache folder {} cannot be used", folder->options().path)
                            : warned[0];
      return machine_error("nothing was kept: " +
                           why.substr(0, why.find(" (Kiln goes on"))); // it does not here
    }
    if (folder) {
      std::set<Fingerprint> there;
      for (const auto &entry : folder->list()) there.insert(entry.key);
      for (Fingerprint key : made_) report_.missing += !there.contains(key);
    }
    std::stable_sort(report_.kernels.begin(), report_.kernels.end(),
                     [](const auto &a, const auto &b) { return a.name < b.name; });
    std::sort(report_.failures.begin(), report_.failures.end(),
              [](const auto &a, const auto &b) { return a.job < b.job; });
    return std::move(report_);
  }

private:
  std::span<const PrecompileJob> jobs_;
  const PrecompileOptions &options_;
  JobSessions sessions_;
  std::mutex mutex_; ///< of what follows
  PrecompileReport report_;
  std::set<Fingerprint> made_;
  std::optional<Error> thrown_; ///< by PrecompileOptions::progress, which is not called again

  static SessionOptions session_options(const PrecompileOptions &options) {
    SessionOptions session = options.session;
    session.trace_jobs = ""; // these jobs are no program's
    // What precompiling makes is on the disk; memory is for what is under way.
    session.artifact_budget = std::min(session.artifact_budget, size_t(4) << 20);
    return session;
  }

  struct Done {
    unsigned made = 0;
    bool is_bound = false, lacks_assembler = false;
    std::vector<Fingerprint> keys;
  };

  void read_ahead(Session &session, std::span<const size_t> indices) {
    JobService &service = jobs_of(session);
    if (!service.persistent() || !service.persistent()->is_far()) return;
    const AnnouncedRequests not_yet; // compile() announces them
    auto use = service.use();
    std::vector<WantedProduct> wanted;
    for (size_t index : indices)
      if (auto job = service.job(jobs_[index]); job.ok())
        wanted.push_back({std::move(*job), jobs_[index].product});
    service.compiler().read_ahead(wanted);
  }

  /// Jobs of one session: cubins together, all else by itself.
  void compile(Session &session, std::span<const size_t> indices) {
    JobService &service = jobs_of(session);
    auto use = service.use();
    std::vector<size_t> together;
    std::vector<CompilerJob> cubins;
    for (size_t index : indices) {
      auto job = service.job(jobs_[index]);
      if (!job.ok()) {
        done(index, job.take_error());
        continue;
      }
      const ArtifactKind product = jobs_[index].product;
      const bool has_assembler = product != ArtifactKind::Cubin || has_device_code(job->config) ||
                                 service.has_assembler(service.target_of(*job));
      if (options_.merge && product == ArtifactKind::Cubin && has_assembler) {
        together.push_back(index);
        cubins.push_back(std::move(*job));
        continue;
      }
      done(index, has_assembler ? outcome(service.compile_with_keys(*job, product), false)
                                : without_assembler(service, *job));
    }
    std::vector<Result<Compiled>> made = service.assemble_many(cubins);
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < together.size(); i++) note(together[i], outcome(std::move(made[i]), false));
    if (!together.empty()) tell_progress();
  }

  /// The text alone, unless another machine has put the cubin there: any assembler's will do.
  Result<Done> without_assembler(JobService &service, const CompilerJob &job) {
    KILN_TRY(Done text, outcome(service.compile_with_keys(job, ArtifactKind::Assembly), true));
    const Result<Compiled> cubin =
        options_.merge ? service.loadable(job) : service.compile_with_keys(job, ArtifactKind::Cubin);
    text.lacks_assembler = !cubin.ok();
    return text;
  }

  static Result<Done> outcome(Result<Compiled> compiled, bool lacks_assembler) {
    if (!compiled.ok()) return compiled.take_error();
    Done done{compiled->made, compiled->artifact->session_bound, lacks_assembler, {}};
    if (compiled->made && !done.is_bound) done.keys = std::move(compiled->keys);
    return done;
  }

  void done(size_t index, Result<Done> result) {
    std::lock_guard lock(mutex_);
    note(index, std::move(result));
    tell_progress();
  }

  /// Under the mutex.
  void tell_progress() {
    if (!options_.progress || thrown_) return;
    auto told = call_embedder("PrecompileOptions::progress", [&]() -> Result<void> {
      options_.progress(report_.counts);
      return {};
    });
    if (!told.ok()) thrown_.emplace(told.take_error());
  }

  /// Under the mutex.
  void note(size_t index, Result<Done> result) {
    PrecompileProgress &counts = report_.counts;
    counts.done++;
    if (!result.ok()) {
      counts.failed++;
      Error error = result.take_error();
      if (jobs_[index].at)
        for (Diagnostic &d : error.diagnostics())
          d.notes.push_back({fmt::format("of the job {}", jobs_[index].call), jobs_[index].at});
      report_.failures.push_back({index, std::move(error)});
    } else {
      counts.hits += result->made == 0;
      report_.made += result->made;
      report_.not_kept += result->is_bound;
      report_.not_assembled += result->lacks_assembler;
      made_.insert(result->keys.begin(), result->keys.end());
    }
  }
};

} // namespace

Result<PrecompileReport> KILN_API_VERSION::precompile(std::span<const PrecompileJob> jobs,
                                                      const PrecompileOptions &options,
                                                      const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::precompile_structures()));
  return Run(jobs, options).run();
}

} // namespace kiln
