// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "precompile.h"

#include <session/session.h>
#include <support/float_environment.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace kiln {

namespace {

/// Jobs that load the same files, and their session from the first of them to the last.
struct Group {
  std::vector<size_t> jobs;
  std::mutex opening;
  std::unique_ptr<Session> session;
  std::optional<Error> fault; ///< of opening or loading: all its jobs'
  std::atomic<size_t> left{0};
};

class Run {
public:
  Run(std::span<const PrecompileJob> jobs, const PrecompileOptions &options)
      : jobs_(jobs), options_(options) {
    report_.counts.jobs = jobs.size();
    options_.session.trace_jobs = ""; // these jobs are no program's
    // What precompiling makes is on the disk; memory is for what is under way.
    options_.session.artifact_budget = std::min(options_.session.artifact_budget, size_t(4) << 20);
    std::map<Fingerprint, Group *> by_files; // only looked up
    for (size_t i = 0; i < jobs.size(); i++) {
      Fingerprinter files;
      for (const PrecompileFile &file : jobs[i].files) files.add(file.name).add(file.folder).add(file.digest);
      Group *&group = by_files[files.finish()];
      if (!group) group = groups_.emplace_back(std::make_unique<Group>()).get();
      group->jobs.push_back(i);
      group->left++;
    }
    for (const auto &group : groups_)
      for (size_t job : group->jobs) order_.emplace_back(group.get(), job);
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
    const unsigned wanted =
        options_.threads ? options_.threads : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    for (size_t i = 1; i < std::min<size_t>(wanted, order_.size()); i++)
      threads.emplace_back([this] { work(); });
    work();
    for (std::thread &thread : threads) thread.join();
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
    std::sort(report_.failures.begin(), report_.failures.end(),
              [](const auto &a, const auto &b) { return a.job < b.job; });
    return std::move(report_);
  }

private:
  std::span<const PrecompileJob> jobs_;
  PrecompileOptions options_;
  std::vector<std::unique_ptr<Group>> groups_; ///< in the order of their first jobs
  std::vector<std::pair<Group *, size_t>> order_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_; ///< of what follows
  PrecompileReport report_;
  std::set<Fingerprint> made_;
  std::set<std::string> changed_;

  void work() {
    for (size_t at; (at = next_.fetch_add(1)) < order_.size();) {
      auto [group, job] = order_[at];
      done(job, compile(*group, jobs_[job]));
      if (group->left.fetch_sub(1) == 1) group->session.reset(); // publishes what is left
    }
  }

  struct Done {
    unsigned made = 0;
    bool is_bound = false, lacks_assembler = false;
    std::vector<Fingerprint> keys;
  };

  Result<Session *> open(Group &group, const PrecompileJob &job) {
    std::lock_guard lock(group.opening);
    if (!group.session && !group.fault) {
      auto opened = Session::open(options_.session);
      Result<void> loaded =
          opened.ok() ? (*opened)->state().load_files(job.files) : Result<void>(opened.take_error());
      if (loaded.ok()) {
        group.session = std::move(*opened);
        note_changes(job);
      } else {
        group.fault = loaded.take_error();
      }
    }
    if (group.fault) return *group.fault;
    return group.session.get();
  }

  void note_changes(const PrecompileJob &job) {
    for (const PrecompileFile &file : job.files) {
      if (file.digest.empty()) continue;
      std::string path = (std::filesystem::path(file.folder) / file.name).string();
      auto text = read_file(path, uint64_t(1) << 28);
      std::lock_guard lock(mutex_);
      if (text.ok() && fingerprint_of(*text).hex() != file.digest && changed_.insert(path).second)
        report_.changed.push_back(path);
    }
  }

  Result<Done> compile(Group &group, const PrecompileJob &wanted) {
    KILN_TRY(Session * session, open(group, wanted));
    Session::State &state = session->state();
    auto use = state.code.use();
    KILN_TRY(CompilerJob job, state.jobs.job(wanted));
    Done done;
    ArtifactKind product = wanted.product;
    if (product == ArtifactKind::Cubin && !has_device_code(job.config) &&
        state.assemblers.identity(state.targets.of(job.config.target), state.persistent.get()).empty()) {
      done.lacks_assembler = true;
      product = ArtifactKind::Assembly;
    }
    KILN_TRY(Compiled compiled, state.products.compile_with_keys(job, product));
    done.made = compiled.made;
    done.is_bound = compiled.artifact->session_bound;
    if (compiled.made && !done.is_bound) done.keys = std::move(compiled.keys);
    return done;
  }

  void done(size_t index, Result<Done> result) {
    std::lock_guard lock(mutex_);
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
    if (options_.progress) options_.progress(counts);
  }
};

} // namespace

Result<PrecompileReport> precompile(std::span<const PrecompileJob> jobs, const PrecompileOptions &options) {
  return Run(jobs, options).run();
}

} // namespace kiln
