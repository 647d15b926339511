// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for languages, proven by a second language (toy.h).
#include "toy.h"

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a frontend other than julia reaches PTX") {
  Toy toy;
  StoreFrontend frontend;
  auto loaded = frontend.load(toy.world, *toy.world.main(), toy.sources.add("toy.store", "put: p v\n"));
  REQUIRE(loaded.ok());
  CHECK(loaded->methods == 1);
  auto job = toy.job("put", toy.types.builtins().Float32, 1);
  REQUIRE(job.ok());
  auto artifact = toy.compiler.compile(*job, find_target(PtxOptions()), ArtifactKind::Assembly);
  if (!artifact.ok()) FAIL(artifact.error().what());
  const std::string &ptx = (*artifact)->bytes;
  CHECK(ptx.find(".target sm_90") != std::string::npos);
  CHECK(ptx.find(".visible .entry") != std::string::npos);
  CHECK(ptx.find("st.global.b32") != std::string::npos);

  SECTION("each type is specialised, each asked for once is compiled once") {
    auto wide = toy.job("put", toy.types.builtins().Float64, 1);
    REQUIRE(wide.ok());
    auto other = toy.compiler.compile(*wide, find_target(PtxOptions()), ArtifactKind::Assembly);
    REQUIRE(other.ok());
    CHECK((*other)->bytes.find("st.global.b64") != std::string::npos);
    auto again = toy.compiler.compile(*job, find_target(PtxOptions()), ArtifactKind::Assembly);
    REQUIRE(again.ok());
    CHECK(again->get() == artifact->get());
    CHECK(toy.objects.counters().misses == 2);
    CHECK(toy.objects.counters().hits == 1);
  }
  SECTION("a fault of the toy's text has a place") {
    auto bad = frontend.load(toy.world, *toy.world.main(), toy.sources.add("bad.store", "put p v\n"));
    REQUIRE(!bad.ok());
    CHECK(bad.error().what().find("bad.store:1:1") != std::string::npos);
  }
}
