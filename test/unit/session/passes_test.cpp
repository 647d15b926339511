// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's passes as rows of the ledger: they are there, and change no byte.
#include "gpu_fixture.h"

namespace passes_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// Loops in loops, several functions, shared memory: what passes over loops and functions run over.
constexpr const char *program = R"(using CUDA
@noinline part(x, n) = (s = x; for k in 1:n; s += k * x; end; s)
function kernel(y, n)
    shared = CuStaticSharedArray(Float32, 64)
    s = 0f0
    for i in 1:n
        for j in 1:i
            s += y[j] * part(y[i], j)
        end
        for j in i:n
            s -= y[j]
        end
    end
    shared[threadIdx().x] = s
    sync_threads()
    y[threadIdx().x] = shared[65 - threadIdx().x]
    return
end
)";

struct Made {
  std::vector<std::string> products;
  TimingReport report;
};

Made compile(bool passes) {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.timings = passes;
  options.timing_passes = passes;
  auto session = take(Session::open(options));
  take(session->load("passes.jl", program));
  Made made;
  for (const bool ptx : {true, false})
    for (const int level : {0, 2, 3}) {
      CompilerConfig config;
      if (ptx) config.target = PtxOptions();
      config.opt_level = level;
      made.products.push_back(
          take(session->compile("kernel(CuDeviceVector{Float32,1}, Int64)", config, ArtifactKind::Assembly))
              ->bytes);
    }
  made.report = session->timings();
  return made;
}

} // namespace

TEST_CASE("passes of the code generator are rows below it, and the code is the same to the byte") {
  const Made plain = compile(false), timed = compile(true);
  CHECK(plain.products == timed.products);
  int below = -1; // the depth of the row that is looked at
  uint64_t total = 0, in_passes = 0;
  bool has_selection = false, has_printer = false;
  for (const TimingRow &row : timed.report.rows) {
    if (row.name == "machine-code generation") {
      below = row.depth + 1;
      total = row.nanoseconds;
      continue;
    }
    if (row.depth < below) break;
    if (row.depth != below) continue;
    in_passes += row.nanoseconds;
    has_selection |= row.name.find("Instruction Selection") != std::string::npos;
    has_printer |= row.name.find("Assembly Printer") != std::string::npos;
  }
  CHECK(has_selection);
  CHECK(has_printer);
  CHECK(in_passes <= total);
  CHECK(in_passes > total / 2);
}

} // namespace passes_test
