// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_sessions.h"

#include <session/session.h>

#include <algorithm>
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

constexpr std::string_view default_language = "julia";

/// Whether the session reads the job as the program did that recorded it.
Result<void> check_languages(Definitions &definitions, const PrecompileJob &job) {
  auto check = [&](const std::string &of_job, std::string_view of_session,
                   std::string_view what) -> Result<void> {
    const std::string_view wanted = of_job.empty() ? default_language : of_job;
    if (wanted == of_session) return {};
    return input_error(fmt::format("{} is written in the language {}, and this session reads it as {}", what,
                                   wanted, of_session),
                       {}, "precompile it in a program that gives the language to SessionOptions::languages");
  };
  KILN_CHECK(check(job.language, definitions.frontend().name(), "the call " + job.call));
  for (const PrecompileFile &file : job.files)
    KILN_CHECK(
        check(file.language, definitions.languages().of_file(file.name).name(), "the file " + file.name));
  return {};
}

} // namespace

struct JobSessions::State {
  std::span<const PrecompileJob> jobs;
  SessionOptions options;
  unsigned threads = 0;
  std::function<void(Session &)> told_of_close;
  std::vector<std::unique_ptr<Group>> groups; ///< in the order of their first jobs
  std::mutex mutex;                           ///< of what follows
  std::set<std::string> known_changes;
  std::vector<std::string> changed;

  Result<Session *> open(Group &group, const PrecompileJob &job) {
    std::lock_guard lock(group.opening);
    if (!group.session && !group.fault) {
      auto opened = Session::open(options);
      auto load = [&]() -> Result<void> {
        if (!opened.ok()) return opened.take_error();
        Definitions &definitions = definitions_of(**opened);
        KILN_CHECK(check_languages(definitions, job));
        return definitions.load_files(job.files);
      };
      Result<void> loaded = load();
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

  void close(Group &group) {
    if (!group.session) return;
    if (told_of_close) told_of_close(*group.session);
    StageScope closing(options.timer.get(), Stage::CacheFlush); // publishes what is left
    group.session.reset();
  }

  void note_changes(const PrecompileJob &job) {
    for (const PrecompileFile &file : job.files) {
      if (file.digest.empty()) continue;
      std::string path = (std::filesystem::path(file.folder) / file.name).string();
      auto text = read_file(path, uint64_t(1) << 28);
      std::lock_guard lock(mutex);
      if (text.ok() && fingerprint_of(*text).hex() != file.digest && known_changes.insert(path).second)
        changed.push_back(path);
    }
  }
};

JobSessions::JobSessions(std::span<const PrecompileJob> jobs, SessionOptions options, unsigned threads)
    : state_(std::make_unique<State>()) {
  State &s = *state_;
  s.jobs = jobs;
  s.options = std::move(options);
  s.threads = threads ? threads : std::max(1u, std::thread::hardware_concurrency());
  std::map<Fingerprint, Group *> by_files; // only looked up
  for (size_t i = 0; i < jobs.size(); i++) {
    Fingerprinter files;
    files.add(jobs[i].language);
    for (const PrecompileFile &file : jobs[i].files)
      files.add(file.name).add(file.folder).add(file.digest).add(file.language);
    Group *&group = by_files[files.finish()];
    if (!group) group = s.groups.emplace_back(std::make_unique<Group>()).get();
    group->jobs.push_back(i);
    group->left++;
  }
}

JobSessions::~JobSessions() = default;
void JobSessions::on_close(std::function<void(Session &)> told) { state_->told_of_close = std::move(told); }
size_t JobSessions::size() const { return state_->jobs.size(); }
unsigned JobSessions::threads() const { return state_->threads; }

void JobSessions::for_each(const std::function<void(size_t, Result<Session *>)> &work) {
  for_each_batch(
      1, [&](std::span<const size_t> jobs, Result<Session *> session) { work(jobs[0], std::move(session)); });
}

void JobSessions::for_each_batch(
    size_t most, const std::function<void(std::span<const size_t>, Result<Session *>)> &work) {
  State &s = *state_;
  std::vector<std::pair<Group *, std::span<const size_t>>> batches;
  for (const auto &group : s.groups)
    for (size_t at = 0; at < group->jobs.size(); at += most)
      batches.emplace_back(
          group.get(),
          std::span<const size_t>(group->jobs).subspan(at, std::min(most, group->jobs.size() - at)));
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t at; (at = next.fetch_add(1)) < batches.size();) {
      auto [group, jobs] = batches[at];
      work(jobs, s.open(*group, s.jobs[jobs[0]]));
      if (group->left.fetch_sub(jobs.size()) == jobs.size()) s.close(*group);
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min<size_t>(s.threads, batches.size()); i++) threads.emplace_back(run);
  run();
  StageScope waiting(s.options.timer.get(), Stage::WaitForJobs);
  for (std::thread &thread : threads) thread.join();
}

std::vector<std::string> JobSessions::changed() const {
  std::lock_guard lock(state_->mutex);
  return state_->changed;
}

} // namespace kiln
