// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "worker_program.h"

#include "environment.h"

#include <session/build_digest.h>

#include <kiln/worker.h>
#include <targets/targets.h>
#include <workers/workers.h>

#include <dlfcn.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

namespace kiln {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path &path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
}

/// Returns the file that contains this code: libkiln.so, or a program that links Kiln statically.
fs::path own_file() {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<const void *>(&find_worker_program), &info) || !info.dli_fname) return {};
  std::error_code none;
  return fs::weakly_canonical(info.dli_fname, none);
}

/// Returns the paths at which this build's program `name` may be, the most likely first.
std::vector<fs::path> places(std::string_view name) {
  std::vector<fs::path> found;
  std::error_code none;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", none); program.filename() == "kiln")
    found.push_back(program.parent_path() / name);
  // PREFIX/lib/libkiln.so and PREFIX/lib/x86_64-linux-gnu/libkiln.so: PREFIX/bin
  if (const fs::path own = own_file(); !own.empty())
    for (fs::path up = own.parent_path().parent_path(); found.size() < 4 && up.has_relative_path();
         up = up.parent_path())
      found.push_back(up / "bin" / name);
  const std::string path = environment_text("PATH");
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find(':', at), path.size());
    if (const fs::path folder(path.substr(at, end - at)); folder.is_absolute())
      found.push_back(folder / name);
    at = end + 1;
  }
  return found;
}

Result<std::string> named(const std::string &program, const char *by) {
  if (is_program(program)) {
    std::error_code none;
    return fs::absolute(program, none).string();
  }
  return usage_error(fmt::format("{} names {}, which is no program that can be run", by, program));
}

} // namespace

Result<std::string> find_worker_program(const SessionOptions &options) {
  if (!options.worker_program.empty()) return named(options.worker_program, "SessionOptions::worker_program");
  if (const std::string program = environment_text("KILN_WORKER"); !program.empty())
    return named(program, "the environment variable KILN_WORKER");
  std::string looked_in;
  for (const fs::path &place : places("kiln")) {
    if (is_program(place)) return place.string();
    looked_in += fmt::format("{}{}", looked_in.empty() ? "" : ", ", place.string());
  }
  return machine_error(
      fmt::format("there is no program for worker processes: no kiln in {}",
                  looked_in.empty() ? "PATH" : looked_in),
      "install the program kiln of this build (package kiln), or name it in SessionOptions::worker_program or KILN_WORKER");
}

std::string find_agent_program() {
  for (const fs::path &place : places("kiln-agent"))
    if (is_program(place)) return place.string();
  return {};
}

Result<WorkerProcessesPtr> make_worker_processes(const SessionOptions &options) {
  const std::chrono::milliseconds limit =
      may_compile(options) ? assemble_limit(options) : std::chrono::milliseconds(0);
  if (!options.worker_processes && !limit.count()) return WorkerProcessesPtr();
  unsigned processes = options.worker_processes;
  if (!processes) processes = options.compile_threads;
  if (!processes) processes = std::max(1u, std::thread::hardware_concurrency());
  WorkerOptions workers;
  KILN_TRY(workers.program, find_worker_program(options));
  workers.hello = {.build = std::string(build_digest()),
                   .memory_bytes = options.worker_memory,
                   .alive_milliseconds = uint32_t(workers.silence_limit.count() / 10),
                   .use_environment = EnvironmentScope::is_allowed()};
  return WorkerProcessesPtr(new WorkerProcesses(std::move(workers), processes, all_targets(), limit));
}

std::string_view KILN_API_VERSION::build_id() { return build_digest(); }

Result<void> KILN_API_VERSION::run_worker(const std::function<void()> &orphaned) {
  if (!orphaned) return usage_error("run_worker: the function that ends the process is empty");
  return serve_jobs(worker_descriptor, std::string(build_digest()), own_targets(), orphaned);
}

} // namespace kiln
