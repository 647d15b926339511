// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search on the fake driver: kernels do not run there, so a reference of arrays as they are is met; all
// that is around them does.
#include "gpu_fixture.h"

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a search on a GPU compiles, launches and measures each candidate by its clock") {
  Fake fake;
  auto session = take(Session::open({.cache_dir = ""}));
  take(session->load(
      "scale.jl",
      "using CUDA\nfunction scale(y, ::Val{N}) where {N}\n  y[threadIdx().x] *= N\n  return\nend\n"));
  const Device device = take(session->gpu());
  TuneRequest request;
  request.function = "scale";
  request.arguments = {{.expression = "ones(Float32, 64)"}, {.expression = "Val($N)"}};
  request.space = {.parameters = {{"N", {"1", "2", "3"}}, {"R", {"16", "32"}}},
                   .shape = {.threads = {"32"}},
                   .options = {{"maxregs", "$R"}}};
  std::vector<float> same(64, 1.0F);
  const auto *first = reinterpret_cast<const std::byte *>(same.data());
  request.reference.expected = {{1, std::vector<std::byte>(first, first + 256)}};
  TuneOptions options;
  options.ceiling = false;
  const TuneResult result = take(tune(*session, device, request, options));
  REQUIRE(result.candidates.size() == 6);
  REQUIRE(result.winner);
  for (const TuneCandidate &each : result.candidates) {
    CHECK((each.state == TuneState::Measured || each.state == TuneState::Dropped));
    CHECK(each.nanoseconds > 0);
  }
  CHECK(result.job.config().target.get<PtxOptions>().max_registers > 0);
  CHECK(fake.last_launch().threads[0] == 32);
  options.flush_l2 = true;
  CHECK(take(tune(*session, device, request, options)).winner);
  fake.record_parameters(1); // where exceptions go
  fake.throws(2, "BoundsError", "");
  const TuneResult thrown = take(tune(*session, device, request, options));
  CHECK(thrown.candidates[0].state == TuneState::Failed);
  CHECK(thrown.candidates[1].state != TuneState::Failed);
  fake.record_parameters(0);
}
