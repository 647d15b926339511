// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compile_jobs SOURCE JOBS ORDER OUT: compiles the jobs that the file JOBS lists, one a line ("target emit
// level call"), and leaves each product, or the text of its error, as OUT/<line>. ORDER:
//   forward | backward   one session, one thread
//   again                everything in one session, then in a second one, whose products are left
//   workers              one session, one thread, three worker processes
//   worker threads       the same and four threads
//   threads              one session, four threads that take the next job
//   <number>             one session, one thread, in an order drawn from this seed
#include <kiln/kiln.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <thread>

namespace {

using namespace kiln;

struct ListedJob {
  CompilerConfig config;
  ArtifactKind kind = ArtifactKind::Assembly;
  std::string call;
};

[[noreturn]] void fail(const std::string &message) {
  std::cerr << message << '\n';
  std::exit(2);
}

std::vector<ListedJob> read_jobs(const char *path) {
  std::ifstream file(path);
  std::vector<ListedJob> jobs;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string target, emit;
    ListedJob job;
    words >> target >> emit >> job.config.debug_level;
    std::getline(words >> std::ws, job.call);
    if (job.call.empty()) fail("a job is written: target emit level call");
    job.config.kernel = target == "ptx";
    if (target == "ptx") {
      job.config.target = PtxOptions();
      job.config.target.edit<PtxOptions>().sm = 90;
    }
    job.kind = emit == "llvm"       ? ArtifactKind::Llvm
               : emit == "llvm-opt" ? ArtifactKind::LlvmOpt
               : emit == "obj"      ? ArtifactKind::Object
               : emit == "typed"    ? ArtifactKind::Typed
                                    : ArtifactKind::Assembly;
    jobs.push_back(std::move(job));
  }
  return jobs;
}

std::unique_ptr<Session> open(const char *source, bool workers) {
  auto session = Session::open({.worker_processes = workers ? 3u : 0u});
  if (!session.ok()) fail(session.error().what());
  if (auto loaded = (*session)->load_file(source); !loaded.ok()) fail(loaded.error().what());
  return std::move(*session);
}

void compile(Session &session, const ListedJob &job, const std::string &path) {
  auto product = session.compile(job.call, job.config, job.kind);
  std::ofstream file(path, std::ios::binary);
  file << (product.ok() ? (*product)->bytes : product.error().what());
  if (!file.flush()) fail("cannot write " + path);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 5) fail("usage: compile_jobs SOURCE JOBS ORDER OUT");
  std::vector<ListedJob> jobs = read_jobs(argv[2]);
  std::string order = argv[3], out = argv[4];
  std::vector<size_t> sequence(jobs.size());
  std::iota(sequence.begin(), sequence.end(), 0);
  if (order == "backward") std::reverse(sequence.begin(), sequence.end());
  if (int seed = std::atoi(order.c_str()))
    std::shuffle(sequence.begin(), sequence.end(), std::mt19937(unsigned(seed)));

  const bool workers = order.starts_with("worker");
  auto session = open(argv[1], workers);
  auto run = [&](size_t job) { compile(*session, jobs[job], out + "/" + std::to_string(job)); };
  if (order.ends_with("threads")) {
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&] {
        for (size_t i; (i = next++) < sequence.size();) run(sequence[i]);
      });
    for (std::thread &thread : threads) thread.join();
    return 0;
  }
  for (size_t job : sequence) run(job);
  if (order == "again") {
    session = open(argv[1], workers);
    for (size_t job : sequence) run(job);
  }
}
