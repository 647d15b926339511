// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search spaces: their points, shapes, JSON, and what is wrong with them.
#include "must.h"

#include <tune/space.h>

namespace space_test {

using namespace kiln;
using namespace kiln::test;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

using Points = std::vector<PointValues>;

Points points(const TuneSpace &space, size_t *excluded = nullptr) {
  SpacePlan plan = must(SpacePlan::make(space));
  must(plan.measure(
      [](int64_t, int64_t dimension) -> Result<int64_t> { return dimension == 0 ? 1000 : 100; }));
  size_t count = 0;
  Points all = must(plan.points(count));
  if (excluded) *excluded = count;
  return all;
}
std::string fault_of(const TuneSpace &space) {
  auto made = SpacePlan::make(space);
  return made.ok() ? "none" : made.error().what();
}
TuneSpace read(std::string text) { return must(read_tune_space("space.json", std::move(text))); }
std::string json_fault(std::string text) {
  auto made = read_tune_space("space.json", std::move(text));
  return made.ok() ? "none" : made.error().what();
}

} // namespace

TEST_CASE("every combination is a point, the last parameter changes fastest") {
  CHECK(points({.parameters = {{"A", {"1", "2"}}, {"B", {"x", "y", "z"}}}}) ==
        Points{{"1", "x"}, {"1", "y"}, {"1", "z"}, {"2", "x"}, {"2", "y"}, {"2", "z"}});
  CHECK(points({.parameters = {{"A", {"1", "1", "2"}}}}) == Points{{"1"}, {"2"}}); // each once
  CHECK(points({.parameters = {}}) == Points{{}});
}

TEST_CASE("constraints leave points out") {
  size_t excluded = 0;
  const Points left = points({.parameters = {{"A", {"1", "2", "4"}}, {"B", {"1", "2", "4"}}},
                              .constraints = {"A * B <= N / 250", "A >= B"},
                              .sizes = {{"N", "length(1)"}}},
                             &excluded);
  Points expected;
  size_t out = 0;
  for (int a : {1, 2, 4})
    for (int b : {1, 2, 4})
      if (a * b <= 4 && a >= b)
        expected.push_back({std::to_string(a), std::to_string(b)});
      else
        out++;
  CHECK(left == expected);
  CHECK(excluded == out);
}

TEST_CASE("a list of candidates stands in place of all combinations") {
  const TuneSpace space{.parameters = {{"A", {}}, {"B", {}}},
                        .candidates = {{{"B", "2"}, {"A", "1"}}, {{"A", "3"}, {"B", "4"}}}};
  CHECK(points(space) == Points{{"1", "2"}, {"3", "4"}});
  CHECK(has(fault_of({.parameters = {{"A", {}}, {"B", {}}}, .candidates = {{{"A", "1"}}}}),
            "no value for the parameter B"));
  CHECK(has(fault_of({.parameters = {{"A", {}}}, .candidates = {{{"A", "1"}, {"C", "1"}}}}),
            "C, which is no parameter"));
}

TEST_CASE("shapes are expressions of parameters and sizes") {
  SpacePlan plan = must(
      SpacePlan::make({.parameters = {{"T", {"32"}}, {"Z", {"0"}}},
                       .sizes = {{"N", "length(1)"}},
                       .shape = {.threads = {"T", "2"}, .blocks = {"cld(N, T)"}, .shared_bytes = "4 * T"}}));
  must(plan.measure([](int64_t, int64_t) -> Result<int64_t> { return 1000; }));
  CHECK(must(plan.shape({"32", "0"})) ==
        LaunchShape{.blocks = {32, 1, 1}, .threads = {32, 2, 1}, .shared_bytes = 128});
  CHECK_FALSE(plan.shape({"0", "0"}).ok());       // a division by 0
  CHECK_FALSE(plan.shape({"-1", "0"}).ok());      // no extent
  CHECK_FALSE(plan.shape({"Float32", "0"}).ok()); // no number
  CHECK(must(plan.shape_of({.threads = {"N / 10"}})).threads[0] == 100);
  CHECK_FALSE(plan.shape_of({.threads = {"T"}}).ok()); // sizes alone
  CHECK(must(plan.filled("f$T", {"32", "0"})) == "f32");
  CHECK(plan.describe({"32", "0"}) == "T=32 Z=0");
}

TEST_CASE("what is wrong with a space is told before anything is compiled") {
  CHECK(has(fault_of({.parameters = {{"A", {}}}}), "space error[143]: the parameter A has no values"));
  CHECK(has(fault_of({.parameters = {{"A", {"1"}}, {"A", {"2"}}}}), "the parameter A is there twice"));
  CHECK(has(fault_of({.parameters = {{"1A", {"1"}}}}), "no name of a parameter"));
  CHECK(has(fault_of({.parameters = {{"A", {"1"}}}, .constraints = {"A < B"}}),
            "constraint:1:5: expression error"));
  CHECK(has(fault_of({.parameters = {{"A", {"1"}}}, .sizes = {{"A", "1"}}}), "the name A is there twice"));
  CHECK(has(fault_of({.parameters = {{"A", {"1"}}}, .sizes = {{"N", "A"}}}),
            "there is no parameter or size `A`"));
  TuneSpace large;
  for (const char *name : {"A", "B", "C"})
    large.parameters.push_back({name, std::vector<std::string>(100, "1")});
  CHECK(has(fault_of(large), "more than 100000 candidates"));
}

TEST_CASE("a space as JSON") {
  const TuneSpace space = read(
      R"json({"parameters": {"A": [1, "x", true, {"from": 8, "to": 64, "factor": 2}], "B": {"from": 1, "to": 6, "step": 2}},
    "constraints": ["A < 3", 1], "sizes": {"N": "length(1)"}, "threads": ["A", 2], "blocks": 7, "shmem": "4 * B",
    "options": {"O": "$A", "fastmath": true}})json");
  REQUIRE(space.parameters.size() == 2);
  CHECK(space.parameters[0].values == std::vector<std::string>{"1", "x", "true", "8", "16", "32", "64"});
  CHECK(space.parameters[1].values == std::vector<std::string>{"1", "3", "5"});
  CHECK(space.constraints == std::vector<std::string>{"A < 3", "1"});
  CHECK(space.sizes == std::vector<TuneSetting>{{"N", "length(1)"}});
  CHECK(space.shape.threads == std::array<std::string, 3>{"A", "2", ""});
  CHECK(space.shape.blocks == std::array<std::string, 3>{"7", "", ""});
  CHECK(space.shape.shared_bytes == "4 * B");
  CHECK(space.options == std::vector<TuneSetting>{{"O", "$A"}, {"fastmath", "true"}});
  CHECK(read(R"({"candidates": [{"A": 1, "B": 2}]})").parameters.size() == 2);
}

TEST_CASE("what is wrong with the JSON is told with its place, all of it") {
  const std::string two = json_fault("{\"parameters\": {\"A\": []},\n \"thread\": 1}");
  CHECK(has(two, "space.json:1:22: space error[143]: the parameter A has no values"));
  CHECK(has(two, "space.json:2:2: space error[143]: a search space has no field \"thread\""));
  CHECK(has(json_fault("[]"), "a search space is an object"));
  CHECK(has(json_fault("{"), "JSON error"));
  CHECK(has(json_fault(R"({"parameters": 1})"), "an object of names with lists"));
  CHECK(has(json_fault(R"({"threads": [1, 2, 3, 4]})"), "takes 3 at most"));
  CHECK(has(json_fault(R"({"threads": {}})"), "takes a string or a number"));
  CHECK(has(json_fault(R"({"candidates": []})"), "leave it out"));
  for (const char *range : {R"({"from": 1})", R"({"from": 1, "to": 2, "by": 1})", R"({"from": 2, "to": 1})",
                            R"({"from": 0, "to": 8, "factor": 2})", R"({"from": 1, "to": 8, "step": 0})",
                            R"({"from": 1.5, "to": 8})", R"({"from": 1, "to": 9, "step": 1, "factor": 2})"})
    CHECK(has(json_fault(std::string(R"({"parameters": {"A": )") + range + "}}"), "range"));
  CHECK(has(json_fault(R"({"parameters": {"A": {"from": 1, "to": 1000000}}})"),
            "a range of more than 100000 numbers"));
}

} // namespace space_test
