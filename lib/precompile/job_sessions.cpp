// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_sessions.h"

#include <kiln/job_list.h>
#include <session/session.h>
#include <support/thread_name.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace kiln {

namespace {

/// Jobs that have the same files. They share a session, which is opened before the first job and closed after
/// the last.
struct Group {
  std::vector<size_t> jobs;
  std::mutex opening;
  std::unique_ptr<Session> session;
  std::optional<Error> fault; ///< error of opening the session or loading the files; all jobs get it
  std::atomic<size_t> left{0};
  unsigned users = 0;  ///< threads of for_each_next() that run jobs of this group; guarded by `opening`
  size_t prepared = 0; ///< number of jobs for which `prepare` was called; guarded by `opening`
};

constexpr size_t max_prepared = 512; ///< jobs per batch

constexpr std::string_view default_language = "julia";

/// Checks that the session reads a call or file (`what`) as the language `named`. An empty `named` is Julia.
Result<void> check_language(Definitions &definitions, const std::string &what, const std::string &named,
                            std::string_view of_session, const Location &at) {
  const std::string_view wanted = named.empty() ? default_language : named;
  if (wanted == of_session) return {};
  Languages &languages = definitions.languages();
  std::string message = fmt::format("{} is written in the language {}, ", what, wanted), hint;
  if (languages.has(wanted)) {
    message += fmt::format("and this session reads it as {}", of_session);
    hint = "open the session by open_session (kiln/job_list.h), or set SessionOptions::language";
  } else {
    message += fmt::format("which this session does not have: it has {}", languages.names());
    hint = "load the language: --language libNAME.so on the command line, SessionOptions::language_files or "
           "SessionOptions::languages in a program";
  }
  return input_error(std::move(message), at, std::move(hint));
}

} // namespace

Result<void> check_languages(Definitions &definitions, const PrecompileJob &job) {
  KILN_CHECK(check_language(definitions, "the call " + job.call, job.language, definitions.frontend().name(),
                            job.at));
  for (const PrecompileFile &file : job.files)
    KILN_CHECK(check_language(definitions, "the file " + file.name, file.language,
                              definitions.languages().of_file(file.name).name(), job.at));
  return {};
}

Result<std::unique_ptr<Session>> KILN_API_VERSION::open_session(const PrecompileJob &job,
                                                                const SessionOptions &options) {
  KILN_TRY(std::unique_ptr<Session> session, Session::open(options));
  Definitions &definitions = definitions_of(*session);
  const std::string_view wanted = job.language.empty() ? default_language : std::string_view(job.language);
  if (definitions.languages().has(wanted)) KILN_CHECK(definitions.languages().choose(wanted));
  KILN_CHECK(check_languages(definitions, job));
  KILN_CHECK(definitions.load_files(job.files));
  return session;
}

struct JobSessions::State {
  std::span<const PrecompileJob> jobs;
  SessionOptions options;
  unsigned threads = 0;
  std::function<void(Session &)> told_of_close;
  std::function<void(Session &, std::span<const size_t>)> prepare; ///< may be empty
  std::function<bool()> is_stopped;                                ///< may be empty
  std::vector<std::unique_ptr<Group>> groups;                      ///< sorted by their first jobs
  std::mutex mutex;                                                ///< guards the following
  std::set<std::string> known_changes;
  std::vector<std::string> changed;

  /// Opens the group's session, if it is not open, and prepares the group's jobs before index `end`.
  Result<Session *> open(Group &group, const PrecompileJob &job, size_t end) {
    std::lock_guard lock(group.opening);
    if (!group.session && !group.fault) {
      auto opened = open_session(job, options);
      if (opened.ok()) {
        group.session = std::move(*opened);
        if (auto *cache = jobs_of(*group.session).persistent()) cache->be_patient();
        note_changes(job);
      } else {
        group.fault = opened.take_error();
      }
    }
    if (group.fault) return *group.fault;
    while (prepare && group.prepared < end) {
      const auto next = std::span<const size_t>(group.jobs).subspan(group.prepared);
      const auto now = next.first(std::min(next.size(), max_prepared));
      group.prepared += now.size();
      prepare(*group.session, now);
    }
    return group.session.get();
  }

  void close(Group &group) {
    if (!group.session) return;
    if (told_of_close) told_of_close(*group.session);
    StageScope closing(options.timer.get(), Stage::CacheFlush); // publishes the remaining entries
    group.session.reset();
  }

  bool stops() const { return is_stopped && is_stopped(); }

  /// Closes the sessions whose jobs were left out.
  void close_all() {
    for (const auto &group : groups) close(*group);
  }

  /// Calls `run` from this thread and others, at most `most` in total.
  void run_threads(size_t most, const std::function<void()> &run) const {
    std::vector<std::thread> others;
    for (size_t i = 1; i < std::min<size_t>(threads, most); i++)
      others.emplace_back([&run] {
        name_this_thread("kiln compile");
        run();
      });
    run();
    StageScope waiting(options.timer.get(), Stage::WaitForJobs);
    for (std::thread &thread : others) thread.join();
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
  std::map<Fingerprint, Group *> by_files; // only for look-ups
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
void JobSessions::before_jobs(std::function<void(Session &, std::span<const size_t>)> prepare) {
  state_->prepare = std::move(prepare);
}
void JobSessions::stop_when(std::function<bool()> is_stopped) { state_->is_stopped = std::move(is_stopped); }
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
    for (size_t at; !s.stops() && (at = next.fetch_add(1)) < batches.size();) {
      auto [group, jobs] = batches[at];
      work(jobs, s.open(*group, s.jobs[jobs[0]], size_t(&jobs.back() - group->jobs.data()) + 1));
      if (group->left.fetch_sub(jobs.size()) == jobs.size()) s.close(*group);
    }
  };
  s.run_threads(batches.size(), run);
  s.close_all();
}

std::vector<size_t> JobSessions::order() const {
  std::vector<size_t> all;
  for (const auto &group : state_->groups) all.insert(all.end(), group->jobs.begin(), group->jobs.end());
  return all;
}

void JobSessions::for_each_next(const std::function<std::optional<size_t>()> &next,
                                const std::function<void(size_t, Result<Session *>)> &work) {
  State &s = *state_;
  std::vector<Group *> group_of(s.jobs.size());
  for (const auto &group : s.groups)
    for (size_t job : group->jobs) group_of[job] = group.get();
  auto leave = [&](Group *group) {
    if (!group) return;
    std::lock_guard lock(group->opening);
    if (--group->users == 0) s.close(*group);
  };
  auto run = [&] {
    Group *group = nullptr;
    while (const std::optional<size_t> job = s.stops() ? std::nullopt : next()) {
      if (group_of[*job] != group) {
        leave(group);
        group = group_of[*job];
        std::lock_guard lock(group->opening);
        group->users++;
      }
      work(*job, s.open(*group, s.jobs[*job], 0));
    }
    leave(group);
  };
  s.run_threads(s.jobs.size(), run);
}

std::vector<std::string> JobSessions::changed() const {
  std::lock_guard lock(state_->mutex);
  return state_->changed;
}

} // namespace kiln
