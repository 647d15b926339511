// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of embedders: Session::load_library.
#include "cached.h"

using namespace kiln;
using namespace cached;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char *shapes = R"(
module Shapes
struct Square
    side::Float32
end
const UNIT = 2f0
for (name, power) in ((:area, 2), (:volume, 3))
    @eval $name(s::Square) = UNIT * s.side^$power
end
failing(x) = unknown_name(x)
end
)";
constexpr const char *shapes_program = R"(
function scale(y)
    i = threadIdx().x
    if i <= length(y)
        y[i] = Shapes.area(Shapes.Square(y[i])) + 1f0
    end
    return
end
function fails(y)
    y[1] = Shapes.failing(y[1])
    return
end
)";

/// Adds functions, so that the text is large enough for an index.
std::string large(std::string text) {
  std::string unused;
  for (int i = 0; i < 400; i++) unused += fmt::format("unused_{}(x) = x + {}\n", i, i);
  return text.insert(text.rfind("end"), unused);
}

struct ShapesRun {
  std::vector<float> result;
  Session::Counters counters;
};
ShapesRun run_with(const fs::path &folder, const std::string &text) {
  auto session = open(folder);
  must(session->load_library("shapes.jl", text));
  must(session->load("test.jl", shapes_program));
  std::vector<float> y{1, 2, 3};
  must(session->launch("scale", {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
  session->flush_cache();
  return {y, session->counters()};
}

} // namespace

TEST_CASE("a later process uses what was compiled with the same library, and not with another") {
  for (const std::string &text : {std::string(shapes), large(shapes)}) {
    Scratch folder;
    CHECK(run_with(folder.path, text).result == std::vector<float>{3, 9, 19}); // 2 y^2 + 1
    for (int i = 0; i < 2; i++) {
      const ShapesRun again = run_with(folder.path, text);
      CHECK(again.result == std::vector<float>{3, 9, 19});
      CHECK(again.counters.compiled == 0);
      CHECK(again.counters.inferred == 0);
    }
    const ShapesRun other = run_with(folder.path, replaced(text, "UNIT = 2f0", "UNIT = 3f0"));
    CHECK(other.result == std::vector<float>{4, 13, 28}); // 3 y^2 + 1
    CHECK(other.counters.compiled == 1);
  }
}

TEST_CASE("a program may add methods to the functions of a library") {
  Scratch folder;
  for (const char *method : {"", "Shapes.area(s::Shapes.Square) = 10f0 * s.side\n", ""})
    for (int i = 0; i < 2; i++) {
      auto session = open(folder.path);
      must(session->load_library("shapes.jl", large(shapes)));
      must(session->load("test.jl", std::string(method) + shapes_program));
      std::vector<float> y{1, 2, 3};
      must(session->launch("scale", {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
      CHECK(y == (*method ? std::vector<float>{11, 21, 31} : std::vector<float>{3, 9, 19}));
      CHECK(session->counters().compiled == (i == 0 && session->counters().disk_hits == 0 ? 1 : 0));
    }
}

TEST_CASE("two libraries may be loaded, and none after other definitions") {
  Scratch folder;
  auto session = open(folder.path);
  must(session->load_library("shapes.jl", large(shapes)));
  must(session->load_library("more.jl", "module More\ntwice(x) = 2f0 * Main.Shapes.UNIT * x\nend\n"));
  must(session->load("test.jl", "run(y) = (y[1] = More.twice(y[1]); return)\n"));
  std::vector<float> y{5};
  must(session->launch("run", {}, {Argument::array(y.data(), {1})}));
  CHECK(y[0] == 20); // 2 * 2 * 5
  const auto late = session->load_library("late.jl", "module Late end\n");
  REQUIRE(!late.ok());
  CHECK(late.error().kind() == ErrorKind::Usage);
  CHECK_THAT(late.error().what(),
             Contains("late.jl comes too late") && Contains("right after Session::open"));
}

TEST_CASE("an error in a library's function names the caller's place") {
  Scratch folder;
  auto session = open(folder.path);
  must(session->load_library("shapes.jl", large(shapes)));
  must(session->load("test.jl", shapes_program));
  std::vector<float> y{5};
  const auto failed = session->launch("fails", {}, {Argument::array(y.data(), {1})});
  REQUIRE(!failed.ok());
  CHECK_THAT(failed.error().what(), Contains("unknown_name") && Contains("test.jl:10"));
}

TEST_CASE("a library with a syntax error is refused with its place") {
  Scratch folder;
  auto session = open(folder.path);
  const auto loaded = session->load_library("broken.jl", "module Broken\nf(x = 1\nend\n");
  REQUIRE(!loaded.ok());
  CHECK_THAT(loaded.error().what(), Contains("broken.jl:"));
}
