// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the ledger says that kernels of merged cubins came from.
#include "../scratch.h"
#include "gpu_fixture.h"

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a kernel that the folder holds with others in one cubin is told as found there") {
  Fake fake;
  Environment toolkit("KILN_CUDA_HOME", KILN_FAKE_TOOLKIT);
  Scratch folder;
  for (const bool again : {false, true}) {
    SessionOptions options;
    options.cache_dir = folder.path;
    options.verbosity = 0;
    options.timings = true;
    options.compile_threads = 1; // one batch
    auto session = take(Session::open(options));
    take(session->load("two.jl", "one(y) = (y[1] = 1; return)\ntwo(y) = (y[1] = 2; return)\n"));
    Device gpu = take(session->gpu());
    const CompileRequest requests[] = {{.call = "one(CuDeviceVector{Int64,1})"},
                                       {.call = "two(CuDeviceVector{Int64,1})"}};
    if (again) // alone: Session::prepare finds what prepare_many has left
      take(session->prepare(requests[0].call, {}, gpu));
    for (auto &kernel : session->prepare_many(requests, gpu)) take(std::move(kernel));
    CHECK(session->counters().merged == (again ? 0u : 2u));
    size_t cubins = 0;
    for (const TimingJob &job : session->timings().jobs)
      for (const TimingLookup &lookup : job.lookups) {
        if (lookup.product != "cubin") continue;
        cubins++;
        INFO(job.name << ": " << lookup.answer << ", " << lookup.reason);
        CHECK(lookup.answer != (again ? "made" : "folder"));
      }
    if (again) CHECK(cubins > 0);
    session->flush_cache();
  }
}
