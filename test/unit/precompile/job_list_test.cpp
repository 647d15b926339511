// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/job_list.h: lists of jobs from files.
#include "precompiled.h"

#include <kiln/job_list.h>

using namespace kiln;
using namespace precompiled;
using Catch::Matchers::Contains;

TEST_CASE("a manifest is the product of its targets, configs and candidates") {
  Scratch scratch;
  write(scratch.path / "manifest.json", R"json({
    "files": ["program.jl"],
    "candidates": {"T": ["Float32", "Float64"]},
    "targets": ["native", {"target": "ptx", "arch": ["sm_80", "sm_90a"]}],
    "configs": [{"O": [1, 2]}, {"fastmath": true}],
    "jobs": ["apply(CuDeviceVector{$T,1}, typeof(sqrt))",
             {"call": "scale(CuDeviceVector{Float32,1}, Val{$N})", "candidates": {"N": {"from": 2, "to": 8, "factor": 2}},
              "targets": ["native"], "configs": [{}]}]})json");
  const PrecompileList list = must(read_manifest((scratch.path / "manifest.json").string()));
  CHECK(list.warnings.empty());
  CHECK(list.skipped.empty());
  REQUIRE(list.jobs.size() == 2 * 3 * 3 + 3); // the second job: 2, 4, 8
  const PrecompileJob &first = list.jobs.front(), &last = list.jobs.back();
  CHECK(first.call == "apply(CuDeviceVector{Float32,1}, typeof(sqrt))");
  CHECK(last.call == "scale(CuDeviceVector{Float32,1}, Val{8})");
  REQUIRE(first.files.size() == 1);
  CHECK(first.files[0].name == "program.jl");
  CHECK(first.files[0].folder == scratch.path.string());
  CHECK(first.config.kernel);
  CHECK(first.config.opt_level == 1);
  CHECK(first.product == ArtifactKind::Object);
  CHECK(last.config.opt_level == CompilerConfig().opt_level);
  size_t cubins = 0, specific = 0, fast = 0;
  for (const PrecompileJob &job : list.jobs) {
    cubins += job.product == ArtifactKind::Cubin;
    fast += job.config.target.fast_math;
    if (job.config.target.is<PtxOptions>()) specific += job.config.target.get<PtxOptions>().arch_specific;
  }
  CHECK(cubins == 2 * 2 * 3);
  CHECK(specific == 2 * 3);
  CHECK(fast == 2 * 3);
  CHECK(must(read_job_list((scratch.path / "manifest.json").string())).jobs.size() == list.jobs.size());
}

TEST_CASE("a job of a manifest compiles in a session that loads its files") {
  Scratch scratch;
  write(scratch.path / "manifest.json",
        R"json({"files": ["program.jl"], "jobs": ["apply(CuDeviceVector{Float32,1}, typeof(sqrt))"]
})json");
  const PrecompileList list = must(read_manifest((scratch.path / "manifest.json").string()));
  auto session = must(Session::open({.cache_dir = "", .shared_cache_dir = ""}));
  CHECK(hold_job(*session, list.jobs[0]).error().kind() == ErrorKind::Input); // nothing is loaded
  must(load_files(*session, list.jobs[0].files));
  const Job job = must(hold_job(*session, list.jobs[0]));
  CHECK(must(job.return_type()) == "Nothing");
  CHECK_THAT(must(job.compile(ArtifactKind::LlvmOpt))->bytes, Contains("llvm.sqrt") || Contains("sqrtss"));
}

TEST_CASE("faults of lists have places") {
  Scratch scratch;
  const std::string path = (scratch.path / "list").string();
  write(path, "{\"jobs\": [1]}");
  auto manifest = read_manifest(path);
  REQUIRE(!manifest.ok());
  CHECK(manifest.error().code() == ErrorCode::ManifestError);
  CHECK(manifest.error().diagnostics()[0].at.begin == 10);
  write(path, " \n");
  CHECK_THAT(read_job_list(path).error().what(), Contains("is empty"));
  write(path, "jobs");
  CHECK_THAT(read_job_list(path).error().what(), Contains("neither a manifest"));
  CHECK(read_manifest((scratch.path / "nowhere").string()).error().kind() == ErrorKind::Input);
}

TEST_CASE("the line for people has what differs from the defaults") {
  PrecompileJob job;
  job.call = "f(Float32)";
  CHECK(describe(job) == "f(Float32) for this CPU");
  job.config.target = PtxOptions();
  job.config.target.edit<PtxOptions>().sm = 80;
  job.config.opt_level = 1;
  CHECK(describe(job) == "f(Float32) for sm_80 opt_level=1");
}

TEST_CASE("an iteration space is an expression of the language") {
  CHECK(must(iteration_space("", "")).empty());
  CHECK(must(iteration_space("16,4", "100,20")) ==
        "KernelAbstractions.context((100,20,), KernelAbstractions.StaticSize((16,4,)))");
  CHECK(must(iteration_space("16", "")) ==
        "KernelAbstractions.context((16,), KernelAbstractions.StaticSize((16,)))");
  CHECK(iteration_space("", "100").error().kind() == ErrorKind::Usage);
  CHECK(iteration_space("0", "100").error().kind() == ErrorKind::Usage);
  CHECK(iteration_space("16", "x").error().kind() == ErrorKind::Usage);
}
