// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What searches keep: nothing is searched twice, and what was killed goes on.
#include "search.h"
#include "wipes_on_fork.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace kept_test {

using namespace kiln;
using namespace kiln::test;

TEST_CASE("what was found is not searched again; one more candidate compiles and measures one") {
  Search search;
  const TuneResult first = must(search.run());
  search.open();
  const TuneResult again = must(search.run());
  CHECK(again.winner == first.winner);
  CHECK(again.compiled == 0);
  CHECK(again.measured == 0);
  CHECK(search.session->counters().compiled == 0);
  CHECK(search.session->counters().inferred == 0);
  for (size_t i = 0; i < again.candidates.size(); i++) {
    CHECK(again.candidates[i].is_recorded);
    CHECK(again.candidates[i].samples == first.candidates[i].samples);
  }
  search.request.space.constraints = {"N < 8 || T == 64"};
  search.request.space.parameters[0].values.emplace_back("8");
  const TuneResult more = must(search.run());
  CHECK(more.candidates.size() == 7);
  CHECK(more.compiled == 1);
  CHECK(more.measured == 1);
  CHECK_FALSE(Search::of(more, {"8", "64"}).is_recorded);
  CHECK(Search::of(more, {"4", "64"}).is_recorded);
  const TuneResult known =
      must(tuned(*search.session, search.session->cpu(), search.request, search.options));
  CHECK(known.winner == more.winner);
  CHECK(known.compiled == 0);
  search.options.again = true;
  CHECK(must(search.run()).compiled == 7);
}

TEST_CASE("sizes of one class share a record, others do not") {
  Search search;
  must(search.run());
  search.request.arguments[0].value = Argument::array(search.y.data(), {900}); // up to 1024, as 1000
  search.request.arguments[1].value = Argument::array(search.x.data(), {900});
  const TuneResult near = must(search.run());
  CHECK(near.compiled == 0);
  CHECK(near.candidates[0].shape.blocks[0] == 15); // of these arguments: 900 / 64
  search.request.arguments[0].value = Argument::array(search.y.data(), {500});
  search.request.arguments[1].value = Argument::array(search.x.data(), {500});
  CHECK(must(search.run()).measured == 6);
  CHECK_FALSE(must(tuned(
                       *search.session, search.session->cpu(),
                       [&] {
                         TuneRequest other = search.request;
                         other.arguments[0].value = Argument::array(search.y.data(), {100});
                         other.arguments[1].value = Argument::array(search.x.data(), {100});
                         return other;
                       }(),
                       search.options))
                  .winner);
}

TEST_CASE("after an edit what changed is measured again") {
  Search search;
  must(search.run());
  search.open();
  must(search.session->load("unrelated.jl", "elsewhere(x) = x + 1\n"));
  CHECK(must(search.run()).measured == 0);
  std::string edited = program;
  edited.replace(edited.find("a * x[i] + y[i]"), 15, "y[i] + a * x[i]");
  must(search.session->load("axpy.jl", edited));
  CHECK(must(search.run()).measured == 6);
  search.request.reference.tolerance = 0.5; // another comparison
  CHECK(must(search.run()).measured == 6);
}

TEST_CASE("a search that was killed goes on where it was") {
  if (!wipes_on_fork()) return;
  Search search(100'000);
  search.options.exhaustive = true;
  search.options.max_rounds = 8;
  search.session.reset(); // the child has its own
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    search.open();
    search.options.progress = [](const TuneProgress &p) {
      if (p.phase == "measure" && p.round == 3) ::raise(SIGKILL);
    };
    (void)search.run();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  search.open();
  const TuneResult known =
      must(tuned(*search.session, search.session->cpu(), search.request, search.options));
  for (const TuneCandidate &each : known.candidates) {
    CHECK(each.state == TuneState::Ready);
    CHECK(each.samples.size() == 3);
  }
  const TuneResult result = must(search.run());
  CHECK(result.measured == 0); // compared: they were by then
  CHECK(result.rounds == 5);
  REQUIRE(result.winner);
  for (size_t i = 0; i < result.candidates.size(); i++) {
    const TuneCandidate &c = result.candidates[i];
    REQUIRE(c.samples.size() == 8);
    CHECK(std::equal(known.candidates[i].samples.begin(), known.candidates[i].samples.end(),
                     c.samples.begin()));
  }
  CHECK(search.warnings.empty());
}

TEST_CASE("a progress function that throws is the error of the search, and what was found stays") {
  Search search;
  search.options.progress = [](const TuneProgress &p) {
    if (p.phase == "measure") throw std::runtime_error("the window is gone");
  };
  CHECK(has(search.fault(), "TuneOptions::progress threw an exception: the window is gone"));
  search.options.progress = {};
  CHECK(must(search.run()).measured == 0);
}

TEST_CASE("without a cache a search is the same, and keeps nothing") {
  Search search;
  search.session = must(Session::open({.cache_dir = ""}));
  must(search.session->load("axpy.jl", program));
  CHECK(must(search.run()).winner);
  CHECK(must(search.run()).measured == 6);
}

} // namespace kept_test
