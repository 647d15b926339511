// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompile.h"
#include "held_entries.h"
#include "job_queue.h"
#include "job_sessions.h"

#include <session/session.h>
#include <support/exceptions.h>
#include <support/float_environment.h>

#include <algorithm>
#include <optional>
#include <random>
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
    const DefaultFloatEnvironment floats; // inherited by the threads
    const Log silent;                     // the sessions print warnings
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
    if (options_.stop) sessions_.stop_when([stop = options_.stop] { return stop->stop_requested(); });
    if (options_.queue.empty())
      compile_all();
    else
      KILN_CHECK(compile_queue(store ? *store : static_cast<BlobStore &>(*folder), folder.get()));
    if (thrown_) return std::move(*thrown_); // the artifacts made so far are in the folder
    report_.changed = sessions_.changed();
    if (store) {
      for (Fingerprint key : made_) {
        const std::optional<std::string> entry = get_blob(*store, key);
        report_.missing += !entry;
        report_.bytes += entry ? entry->size() : 0;
      }
    } else if (report_.made && !folder->is_usable()) {
      std::string why = warned.empty()
                            ? fmt::format("the cache folder {} cannot be used", folder->options().path)
                            : warned[0];
      return machine_error("nothing was kept: " +
                           why.substr(0, why.find(" (Kiln goes on"))); // precompile stops here
    }
    if (folder) {
      report_.missing = made_.size();
      for (const auto &entry : folder->list()) {
        if (!made_.contains(entry.key)) continue;
        report_.missing--;
        report_.bytes += entry.bytes;
      }
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
  std::mutex mutex_; ///< guards the following
  PrecompileReport report_;
  std::set<Fingerprint> made_;
  std::optional<Error> thrown_; ///< error thrown by PrecompileOptions::progress, which is not called again

  static SessionOptions session_options(const PrecompileOptions &options) {
    SessionOptions session = options.session;
    session.trace_jobs = ""; // do not record these jobs: no program requests them
    // Limit artifacts in memory to 4 MiB: results are on disk, and only running jobs need memory.
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

  void compile_all() {
    sessions_.before_jobs(
        [this](Session &session, std::span<const size_t> jobs) { read_ahead(session, jobs); });
    const size_t most = options_.merge ? batch_size(jobs_.size(), sessions_.threads()) : 1;
    sessions_.for_each_batch(most, [&](std::span<const size_t> jobs, Result<Session *> session) {
      if (session.ok()) return compile(**session, jobs);
      for (size_t job : jobs) done(job, Result<Done>(session.error()));
    });
  }

  /// Compiles the jobs that the queue assigns to this worker. Each worker begins at another place in the
  /// list.
  Result<void> compile_queue(BlobStore &store, FolderStore *folder) {
    if (!is_queue_name(options_.queue))
      return usage_error(fmt::format("`{}` is no name of a queue: use 1 to 100 letters, digits, \".\", \"-\" "
                                     "and \"_\"",
                                     options_.queue));
    std::vector<std::string> urls = remote_stores(options_.session);
    if (urls.empty())
      return usage_error("a queue needs a remote store, where its workers meet and publish: name a Redis in "
                         "--remote, KILN_REMOTE_CACHE or SessionOptions::remote");
    const std::vector<Fingerprint> digests = queue_digests(jobs_);
    std::vector<size_t> order = sessions_.order();
    if (!order.empty())
      std::ranges::rotate(order, order.begin() + ptrdiff_t(std::random_device()() % order.size()));
    const AgentClientOptions agent = agent_options(std::move(urls), {});
    QueueConnection connection(agent, options_.queue, list_digest(digests));
    HeldEntries held(store, folder, agent);
    JobQueue queue(
        digests, std::move(order),
        [&](std::span<const Fingerprint> jobs, uint32_t num_wanted) {
          return connection.take(jobs, num_wanted, options_.queue_limit);
        },
        [&](const Fingerprint &job, AgentFinish::Outcome outcome) { connection.finish(job, outcome); });
    sessions_.for_each_next([&] { return queue.next(); },
                            [&](size_t job, Result<Session *> session) {
                              Result<Done> made =
                                  session.ok() ? compile_one(**session, job) : Result<Done>(session.error());
                              if (made.ok()) held.publish(made->keys);
                              end_queued(queue, job, std::move(made));
                            });
    if (const std::optional<Error> fault = queue.fault()) return *fault;
    for (size_t job : queue.take_abandoned()) end_abandoned(job);
    std::lock_guard lock(mutex_);
    count_queue(queue);
    report_.alone = queue.counts().alone;
    report_.queue_fault = queue.lost();
    return {};
  }

  static Fingerprint list_digest(std::vector<Fingerprint> digests) {
    std::ranges::sort(digests);
    Fingerprinter list;
    list.add("kiln queue list 1").add(build_digest());
    for (const Fingerprint &each : digests) list.add(each);
    return list.finish();
  }

  /// Compiles one job. On return, the agent has the job's artifacts.
  Result<Done> compile_one(Session &session, size_t index) {
    Result<Done> made = [&]() -> Result<Done> {
      JobService &service = jobs_of(session);
      auto use = service.use();
      KILN_TRY(const CompilerJob job, service.job(jobs_[index]));
      return compile_alone(service, job, jobs_[index].product);
    }();
    session.flush_cache();
    return made;
  }

  void end_queued(JobQueue &queue, size_t job, Result<Done> made) {
    const bool is_input_error = !made.ok() && made.error().kind() == ErrorKind::Input;
    if (!queue.finish(job, made.ok(), is_input_error)) return;
    std::lock_guard lock(mutex_);
    note(job, std::move(made));
    count_queue(queue);
    tell_progress();
  }

  /// Reports a job that failed in all attempts, on every worker.
  void end_abandoned(size_t job) {
    done(job, Result<Done>(machine_error(
                  fmt::format("each worker that compiled {} ended before the job did", jobs_[job].call),
                  "compile it alone to see why; the system may have ended the workers for want of memory")));
  }

  /// Call it under the mutex.
  void count_queue(const JobQueue &queue) {
    const JobQueue::Counts counts = queue.counts();
    report_.counts.done = report_.counts.done - report_.counts.elsewhere + counts.elsewhere;
    report_.counts.elsewhere = counts.elsewhere;
    report_.counts.returned = counts.returned;
  }

  /// Compiles several jobs of one session: cubins together, other products one by one.
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
      if (options_.merge && product == ArtifactKind::Cubin && can_assemble(service, *job)) {
        together.push_back(index);
        cubins.push_back(std::move(*job));
        continue;
      }
      done(index, compile_alone(service, *job, product));
    }
    std::vector<Result<Compiled>> made = service.assemble_many(cubins);
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < together.size(); i++) note(together[i], outcome(std::move(made[i]), false));
    if (!together.empty()) tell_progress();
  }

  static bool can_assemble(JobService &service, const CompilerJob &job) {
    return has_device_code(job.config) || service.has_assembler(service.target_of(job));
  }

  Result<Done> compile_alone(JobService &service, const CompilerJob &job, ArtifactKind product) {
    if (product == ArtifactKind::Cubin && !can_assemble(service, job)) return without_assembler(service, job);
    return outcome(service.compile_with_keys(job, product), false);
  }

  /// Makes only the assembly text of a cubin, on a machine without an assembler. The store may still have a
  /// cubin that another machine assembled.
  Result<Done> without_assembler(JobService &service, const CompilerJob &job) {
    KILN_TRY(Done text, outcome(service.compile_with_keys(job, ArtifactKind::Assembly), true));
    const Result<Compiled> cubin = options_.merge && options_.queue.empty()
                                       ? service.loadable(job)
                                       : service.compile_with_keys(job, ArtifactKind::Cubin);
    text.lacks_assembler = !cubin.ok();
    return text;
  }

  static Result<Done> outcome(Result<Compiled> compiled, bool lacks_assembler) {
    if (!compiled.ok()) return compiled.take_error();
    Done done{compiled->made, compiled->artifact->session_bound, lacks_assembler, {}};
    if (!done.is_bound) done.keys = std::move(compiled->keys);
    return done;
  }

  void done(size_t index, Result<Done> result) {
    std::lock_guard lock(mutex_);
    note(index, std::move(result));
    tell_progress();
  }

  /// Call it under the mutex.
  void tell_progress() {
    if (!options_.progress || thrown_) return;
    auto told = call_embedder("PrecompileOptions::progress", [&]() -> Result<void> {
      options_.progress(report_.counts);
      return {};
    });
    if (!told.ok()) thrown_.emplace(told.take_error());
  }

  /// Call it under the mutex.
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
      if (result->made) made_.insert(result->keys.begin(), result->keys.end());
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
