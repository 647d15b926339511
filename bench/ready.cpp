// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long a session takes from its opening until it holds the code of every kernel of a file, all of which a
// read-only folder has. bench/ready.py makes the file and the folder.
//
//   ready FILE.jl KERNELS FOLDER cpu|gpu THREADS
//
// Prints milliseconds on the wall and of CPU time: to open the session, to load the definitions, to hold all
// code. THREADS 1: the calling thread alone.
#include <kiln/kiln.h>

#include "measure.h"
#include "must.h"

#include <charconv>

using namespace kiln;
using namespace bench;

namespace {

unsigned number(const char *text) {
  unsigned value = 0;
  std::from_chars(text, text + std::strlen(text), value);
  return value;
}

} // namespace

int main(int count, char **words) {
  if (count != 6) return std::fputs("ready FILE.jl KERNELS FOLDER cpu|gpu THREADS\n", stderr), 2;
  const unsigned kernels = number(words[2]), threads = number(words[5]);
  const bool is_gpu = std::string_view(words[4]) == "gpu";
  CompilerConfig config;
  if (is_gpu) config.target = PtxOptions();
  const ArtifactKind kind = is_gpu ? ArtifactKind::Cubin : ArtifactKind::Object;

  const Moment began = Moment::now();
  SessionOptions options;
  options.cache_dir = "";
  options.shared_cache_dir = words[3];
  options.compile = SessionOptions::CompileMode::Never;
  options.compile_threads = threads;
  auto session = take(Session::open(options));
  const Moment opened = Moment::now();
  take(session->load_file(words[1]));
  const Moment loaded = Moment::now();
  std::vector<std::shared_ptr<const Artifact>> held;
  std::vector<CompileRequest> requests;
  for (unsigned i = 0; i < kernels; i++) {
    std::string call =
        "kernel" + std::to_string(i) + "(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)";
    if (threads == 1)
      held.push_back(take(session->compile(call, config, kind)));
    else
      requests.push_back({.call = std::move(call), .config = config, .kind = kind});
  }
  if (threads != 1)
    for (auto &each : session->compile_many(requests)) held.push_back(take(std::move(each)));
  const Moment end = Moment::now();
  if (session->counters().compiled) return std::fputs("a kernel was compiled\n", stderr), 1;
  for (const Moment &span : {opened - began, loaded - opened, end - loaded})
    std::printf("%.2f %.2f ", span.wall_us / 1e3, span.cpu_us / 1e3);
  return held.size() == kernels ? 0 : 1;
}
