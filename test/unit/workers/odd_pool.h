// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of workers that do whatever a process may do wrong.
#pragma once

#include "must.h"

#include <workers/workers.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <dirent.h>
#include <sys/wait.h>

namespace kiln::test {

using Clock = std::chrono::steady_clock;

inline WorkerOptions odd() {
  WorkerOptions options{.program = ODD_WORKER, .hello = {.build = "the build", .alive_milliseconds = 50}};
  options.silence_limit = std::chrono::milliseconds(20'000);
  return options;
}

inline std::string ask(ProcessPool &pool, const std::string &text) {
  return must(pool.call({99, text})).payload;
}

inline std::string failure(const Result<Message> &reply) {
  if (reply.ok()) return "no error, but " + reply->payload.substr(0, 100);
  const Diagnostic &first = reply.error().diagnostics()[0];
  return std::to_string(int(reply.error().kind())) + " " + std::string(first.name()) + ": " + first.message +
         " | " + first.hint;
}
inline std::string failure(ProcessPool &pool, const std::string &text) {
  return failure(pool.call({99, text}));
}

inline size_t open_descriptors() {
  size_t count = 0;
  DIR *folder = ::opendir("/proc/self/fd");
  while (::readdir(folder)) count++;
  ::closedir(folder);
  return count;
}

inline bool has_children() {
  siginfo_t info{};
  return ::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0; // else ECHILD: there is none
}

inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Mode {
  explicit Mode(const char *mode) { ::setenv("ODD_MODE", mode, 1); }
  ~Mode() { ::unsetenv("ODD_MODE"); }
};

} // namespace kiln::test
