// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searches on the CPU: winners, values, failures. What is right is computed here.
#include "search.h"

#include <tune/parts.h>

namespace tune_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("a search has a winner that is right, and leaves the caller's arrays as they are") {
  Search search;
  const std::vector<float> y = search.y, x = search.x;
  const TuneResult result = must(search.run());
  CHECK(search.y == y);
  CHECK(search.x == x);
  CHECK(result.parameters == std::vector<std::string>{"N", "T"});
  REQUIRE(result.candidates.size() == 6);
  REQUIRE(result.winner);
  CHECK(result.compiled == 6);
  CHECK(result.measured == 6);
  CHECK(result.bytes == 8000);
  const TuneCandidate &best = result.candidates[*result.winner];
  for (const TuneCandidate &each : result.candidates) {
    CHECK((each.state == TuneState::Measured || each.state == TuneState::Dropped));
    CHECK(each.nanoseconds >= best.nanoseconds);
    CHECK_FALSE(each.samples.empty());
    const int n = std::stoi(each.values[0]), t = std::stoi(each.values[1]);
    CHECK(each.shape == LaunchShape{.blocks = {uint32_t((1000 + n * t - 1) / (n * t)), 1, 1},
                                    .threads = {uint32_t(t), 1, 1}});
  }
  // The winner's job does what it should.
  const Kernel kernel = must(result.job.prepare(search.session->cpu()));
  const Argument arguments[] = {Argument::array(search.y.data(), {1000}),
                                Argument::array(search.x.data(), {1000}), Argument::scalar(2.0F)};
  const void *pointers[] = {arguments[0].bytes.data(), arguments[1].bytes.data(), arguments[2].bytes.data()};
  must(search.session->launch(kernel, best.shape, pointers));
  for (size_t i = 0; i < y.size(); i++) CHECK(search.y[i] == Approx(2.0F * x[i] + y[i]));
  CHECK(has(tune_table(result), "winner"));
  CHECK(has(tune_json(result), "\"parameters\": [\"N\", \"T\"]"));
}

TEST_CASE("a search by several devices has the winner that one device finds") {
  for (const bool keeps : {true, false}) {
    Search search;
    if (!keeps) search.session = must(Session::open({.cache_dir = ""}));
    if (!keeps) must(search.session->load("axpy.jl", program));
    search.request.function = "slow";
    search.request.arguments = {{.expression = "zeros(Float32, 2000)"},
                                {.expression = "rand(Float32, 2000)"},
                                {.expression = "Val($ROUNDS)"}};
    search.request.space = {.parameters = {{"ROUNDS", {"400", "1", "200", "300", "0", "500"}}},
                            .constraints = {"ROUNDS != 300"},
                            .shape = {.threads = {"100"}, .blocks = {"20"}}};
    search.request.reference.function = "ones_of";
    const Device cpu = search.session->cpu();
    search.options.more_devices = {cpu, cpu};
    std::vector<std::string> phases;
    search.options.progress = [&](const TuneProgress &at) { phases.emplace_back(at.phase); };
    const TuneResult result =
        must(tune_in_parts(*search.session, cpu, search.request, search.options, source_of(*search.session)));
    REQUIRE(result.candidates.size() == 5);
    REQUIRE(result.winner);
    CHECK((result.candidates[*result.winner].values[0] == "0" ||
           result.candidates[*result.winner].values[0] == "1"));
    CHECK(result.excluded == 1);
    CHECK(result.measured == 5); // each by one device
    for (const TuneCandidate &each : result.candidates) {
      INFO(each.values[0]);
      CHECK((each.state == TuneState::Measured || each.state == TuneState::Dropped));
      CHECK(each.nanoseconds > 0);
    }
    CHECK(phases.back() == "measure");
    if (!keeps) continue;
    // A later search by one device has nothing left to do.
    search.options.more_devices.clear();
    const TuneResult again = must(search.run());
    CHECK(again.measured == 0);
    CHECK(again.winner == result.winner);
  }
}

TEST_CASE("the devices of a search are different GPUs of one model") {
  Search search;
  search.options.more_devices = {search.session->cpu()};
  CHECK(has(search.fault(), "a search can be divided among GPUs only"));
}

TEST_CASE("the fastest by far wins, and the slow ones are dropped early") {
  Search search;
  search.request.function = "slow";
  search.request.arguments = {{.expression = "zeros(Float32, 2000)"},
                              {.expression = "rand(Float32, 2000)"},
                              {.expression = "Val($ROUNDS)"}};
  search.request.space = {.parameters = {{"ROUNDS", {"400", "1", "200"}}},
                          .shape = {.threads = {"100"}, .blocks = {"20"}}};
  search.request.reference.function = "ones_of";
  const TuneResult result = must(search.run());
  REQUIRE(result.winner == 1);
  CHECK(result.candidates[0].state == TuneState::Dropped);
  CHECK(result.candidates[0].samples.size() < 3);
  CHECK(result.candidates[2].state == TuneState::Dropped);
}

TEST_CASE("candidates that fail have a state and a reason, and end nothing") {
  Search search;
  search.request.space.parameters = {{"N", {"1", "3", "5", "6", "7", "9", "-1"}}, {"T", {"64", "2048"}}};
  const TuneResult result = must(search.run());
  auto state = [&](const char *n, TuneState is, std::string_view reason) {
    const TuneCandidate &c = Search::of(result, {n, "64"});
    CHECK(tune_state_name(c.state) == tune_state_name(is));
    INFO(c.reason);
    CHECK(has(c.reason, reason));
  };
  state("3", TuneState::Wrong, "argument 1[1] is 0, and the reference has 3");
  state("5", TuneState::Failed, "BoundsError");
  state("6", TuneState::NotCompiled, "undefined_function");
  state("7", TuneState::TimedOut, "TimeLimitError");
  state("-1", TuneState::Impossible, "blocks are from 1");
  CHECK(Search::of(result, {"1", "2048"}).state == TuneState::Impossible);
  CHECK(has(Search::of(result, {"1", "2048"}).reason, "2048 threads of a block"));
  REQUIRE(result.winner);
  CHECK(result.candidates[*result.winner].values == std::vector<std::string>{"1", "64"});
}

TEST_CASE("a candidate that alone would win is looked at whole: one that writes to an input does not") {
  Search search;
  search.request.space.parameters = {{"N", {"9"}}, {"T", {"64"}}};
  const TuneResult result = must(search.run());
  CHECK_FALSE(result.winner);
  CHECK(result.candidates[0].state == TuneState::Wrong);
  CHECK(has(result.candidates[0].reason, "argument 2[1] is -1, and the reference has 1"));
}

TEST_CASE("the reference may be a candidate, arrays, or a launch of its own") {
  Search search;
  search.request.reference = {.candidate = {{"N", "1"}, {"T", "64"}}};
  CHECK(must(search.run()).winner);
  std::vector<float> right(1000), wrong(1000);
  for (size_t i = 0; i < 1000; i++) right[i] = 2.0F * search.x[i] + search.y[i];
  auto as_bytes = [](const std::vector<float> &values) {
    const auto *first = reinterpret_cast<const std::byte *>(values.data());
    return std::vector<std::byte>(first, first + values.size() * sizeof(float));
  };
  search.request.reference = {.expected = {{1, as_bytes(right)}}};
  CHECK(must(search.run()).winner);
  search.request.reference = {.expected = {{1, as_bytes(wrong)}}};
  const TuneResult none = must(search.run());
  CHECK_FALSE(none.winner);
  for (const TuneCandidate &each : none.candidates) CHECK(each.state == TuneState::Wrong);
  search.request.reference = {.function = "plain", .shape = {.threads = {"1"}}};
  CHECK(must(search.run()).winner);
  search.request.reference = {.function = "nothing_done"};
  CHECK(has(search.fault(), "the reference changes no array"));
  search.request.reference = {.function = "no_such_function"};
  CHECK(has(search.fault(), "no_such_function"));
  search.request.reference = {};
  CHECK(has(search.fault(), "the search has no reference"));
  search.request.reference = {.function = "plain", .candidate = {{"N", "1"}, {"T", "64"}}};
  CHECK(has(search.fault(), "several references"));
  search.request.reference = {.candidate = {{"N", "1"}}};
  CHECK(has(search.fault(), "no value for the parameter T"));
  search.request.reference = {.expected = {{3, {}}}};
  CHECK(has(search.fault(), "argument 3, which has no array"));
}

TEST_CASE("wrong requests are errors before anything is compiled") {
  Search search;
  const uint64_t before = search.session->counters().compiled;
  search.request.space.constraints = {"N > 100"};
  CHECK(has(search.fault(), "no candidate is left: the constraints exclude 6"));
  search.request.space.constraints = {"M > 1"};
  CHECK(has(search.fault(), "there is no parameter or size `M`"));
  search.request.space.constraints = {};
  search.request.space.sizes = {{"M", "length(7)"}};
  CHECK(has(search.fault(), "there is no argument 7"));
  search.request.space.sizes = {{"M", "value(3)"}};
  CHECK(has(search.fault(), "no whole number"));
  search.request.space.sizes = {};
  search.request.arguments[3].expression = "Val($M)";
  CHECK(has(search.fault(), "names $M, which is no parameter"));
  search.request.arguments[3].expression = "Val($N)";
  search.options.max_rounds = 0;
  CHECK(has(search.fault(), "at least one round"));
  search.options.max_rounds = 3;
  search.options.flush_l2 = true;
  CHECK(has(search.fault(), "flush_l2 is for GPUs"));
  search.options.flush_l2 = false;
  search.request.arguments[0].value->type = "NoSuchType";
  CHECK(has(search.fault(), "NoSuchType"));
  CHECK(search.session->counters().compiled == before);
}

TEST_CASE("options differ between candidates, on top of the request's config") {
  Search search;
  search.request.space.parameters = {{"N", {"2"}}, {"T", {"64"}}, {"O", {"0", "2", "9"}}};
  search.request.space.options = {{"O", "$O"}};
  search.request.config.debug_level = 0;
  const TuneResult result = must(search.run());
  REQUIRE(result.winner);
  CHECK(Search::of(result, {"2", "64", "9"}).state == TuneState::Impossible);
  CHECK(result.job.config().debug_level == 0);
  CHECK(std::to_string(result.job.config().opt_level) == result.candidates[*result.winner].values[2]);
}

TEST_CASE("the phases of a search are told in order, and how many are left") {
  Search search;
  std::string phases;
  search.options.progress = [&](const TuneProgress &p) {
    CHECK(p.done <= p.all);
    if (phases.empty() || !phases.ends_with(p.phase)) phases += " " + std::string(p.phase);
    if (p.phase == "measure") CHECK(p.best > 0);
  };
  must(search.run());
  CHECK(phases == " compile check measure");
}

TEST_CASE("the copy kernel of the ceiling moves something") {
  Search search;
  search.options.ceiling = true;
  const TuneResult result = must(search.run());
  CHECK(result.ceiling > 1e8);
  CHECK(result.ceiling < 1e13);
  CHECK(has(tune_table(result), "ceiling: "));
}

} // namespace tune_test
