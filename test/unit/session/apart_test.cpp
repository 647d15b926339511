// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do a launch's arrays overlap? What decides over kernels that read through the cache for constants.
#include <catch2/catch.hpp>

#include <session/session.h>

using namespace kiln;

TEST_CASE("ranges are apart if no byte is in two of them, and no bare pointer is among the arguments") {
  CHECK(are_apart({}));
  CHECK(are_apart({.ranges = {{1000, 100, 1}}}));
  CHECK(are_apart({.ranges = {{1100, 50, 1}, {1000, 100, 2}}}));
  CHECK_FALSE(are_apart({.ranges = {{1099, 50, 1}, {1000, 100, 2}}}));
  CHECK_FALSE(are_apart({.ranges = {{1000, 100, 1}, {1000, 100, 2}}}));
  CHECK_FALSE(are_apart({.ranges = {{1000, 100, 1}, {2000, 4, 2}, {1010, 10, 3}}}));
  CHECK(are_apart({.ranges = {{1000, 100, 1}, {1000, 0, 2}}}));
  CHECK_FALSE(are_apart({.ranges = {{1000, 100, 1}}, .has_pointers = true}));
}

TEST_CASE("the ranges are those of the arrays among the arguments, however deep") {
  auto session = std::move(*Session::open());
  REQUIRE(session
              ->load("k.jl", "using CUDA\n"
                             "arrays(y, t) = (@inbounds y[1] = t[2][1]; nothing)\n"
                             "pointer(y, p) = (@inbounds y[1] = unsafe_load(p); nothing)\n")
              .ok());
  JobService &service = jobs_of(*session);
  CompilerConfig config;
  float numbers[32] = {};
  auto header = [&](size_t first, size_t count) {
    return std::array<uint64_t, 4>{reinterpret_cast<uintptr_t>(numbers + first), count * 4, count, count};
  };
  auto apart = [&](const char *call, std::vector<const void *> arguments) {
    auto use = service.use();
    auto job = service.job(call, config);
    REQUIRE(job.ok());
    auto artifact = service.compile(*job, ArtifactKind::Object);
    REQUIRE(artifact.ok());
    const auto all = job->source->arguments->as<DataType>()->params();
    std::vector<TypeRef> parameters;
    for (const Artifact::Parameter &parameter : (*artifact)->parameters)
      parameters.push_back(all[parameter.argument]);
    const auto memory = memory_parts(definitions_of(*session).types(), parameters);
    return are_apart(device_memory(**artifact, memory, arguments));
  };
  struct {
    int64_t n;
    std::array<uint64_t, 4> array;
  } inner{3, header(16, 16)}, overlapping{3, header(15, 16)};
  auto y = header(0, 16);
  const char *nested = "arrays(CuDeviceVector{Float32,1}, Tuple{Int64,CuDeviceVector{Float32,1}})";
  CHECK(apart(nested, {&y, &inner}));
  CHECK_FALSE(apart(nested, {&y, &overlapping}));
  void *bare = numbers + 20;
  CHECK_FALSE(apart("pointer(CuDeviceVector{Float32,1}, Ptr{Float32})", {&y, &bare}));
}
