// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callbacks that use a session which is being closed.
#include "gpu_fixture.h"

#include <atomic>
#include <thread>

namespace closing_test {

using namespace kiln;
using namespace kiln::test;
using namespace std::chrono_literals;

namespace {

std::string program() {
  std::string text = "function slow(x)\n";
  for (int i = 0; i < 400; i++) text += "  x = x * x + sqrt(abs(x - " + std::to_string(i) + "))\n";
  return text + "  return x\nend\nquick(x) = x + 1\n";
}

} // namespace

TEST_CASE("what a callback asks of a session that is being closed is refused, whichever way it asks") {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.compile_threads = 1;
  auto session = take(Session::open(options));
  take(session->load("closing.jl", program()));
  CompilerConfig config;
  config.kernel = false;
  const Job held = take(session->job("quick(Int64)", config));
  Session &s = *session; // its address, as a callback would have it
  std::mutex mutex;
  std::vector<std::string> outcomes, refusals;
  std::vector<CompileFuture> futures;
  for (int i = 0; i < 8; i++) {
    futures.push_back(session->submit({.call = i % 2 ? "slow(Float64)" : "slow(Float32)", .config = config}));
    futures.back().then([&](const CompileFuture::Outcome &outcome) {
      if (outcome.ok() || outcome.error().diagnostics()[0].message.find("closed") == std::string::npos)
        return;
      std::vector<std::string> refused;
      refused.push_back(failure(s.compile("quick(Int64)", config, ArtifactKind::Assembly)));
      refused.push_back(failure(s.load("more.jl", "more(x) = x\n")));
      refused.push_back(failure(s.job("quick(Int64)", config)));
      refused.push_back(failure(s.check()));
      refused.push_back(failure(held.compile(ArtifactKind::Assembly)));
      refused.push_back(failure(held.renew()));
      const CompileRequest request{.call = "quick(Int64)", .config = config};
      refused.push_back(failure(s.compile_many({&request, 1})[0]));
      const CompileFuture next = s.submit(request);
      refused.push_back(next.ready() ? failure(next.get()) : "not ready");
      std::lock_guard lock(mutex);
      outcomes.push_back(failure(outcome));
      refusals.insert(refusals.end(), refused.begin(), refused.end());
    });
  }
  session.reset();
  CHECK(outcomes.size() >= 6); // one was under way, and one may have begun meanwhile
  for (const std::string &outcome : outcomes) CHECK_THAT(outcome, Catch::Contains("Cancelled"));
  CHECK(refusals.size() == 8 * outcomes.size());
  for (const std::string &refusal : refusals) CHECK_THAT(refusal, Catch::Contains("being closed"));
  for (const CompileFuture &future : futures) CHECK(future.ready());
  CHECK_THAT(failure(held.compile(ArtifactKind::Assembly)), Catch::Contains("has gone"));
}

} // namespace closing_test
