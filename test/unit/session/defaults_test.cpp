// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SessionOptions::default_config and on_job at every door of a session. The typed code of debug level 2
// differs from that of level 1 in no product that these tests read, so they tell configs apart by the target
// and by `kernel`, whose products differ by definition: PTX has `.visible .entry`, or `.visible .func`.
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/extension/language/calls.h>
#include <kiln/kiln.h>

#include <thread>

namespace defaults_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

constexpr const char *source = R"(
plain(x::Int64) = x + 1
function fill(y, x)
    @inbounds y[1] = x
    return
end
)";

constexpr const char *fill = "fill(CuDeviceVector{Float32,1}, Float32)";

/// Plain functions as PTX.
const CompilerConfig ptx_function{.target = PtxOptions{.sm = 80}, .kernel = false};

struct Seen {
  std::vector<std::string> calls;
  std::vector<std::thread::id> threads;
  std::string refuses; ///< calls that contain it
};

std::unique_ptr<Session> open(SessionOptions options) {
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = must(Session::open(options));
  must(session->load("a.jl", source));
  return session;
}

std::unique_ptr<Session> open(Seen &seen) {
  SessionOptions options;
  options.on_job = [&seen](const JobRequest &request) -> Result<void> {
    seen.calls.push_back(std::string(request.call) + " " + std::string(request.config.target.name()));
    seen.threads.push_back(std::this_thread::get_id());
    if (!seen.refuses.empty() && request.call.find(seen.refuses) != request.call.npos)
      return usage_error("not this one");
    return {};
  };
  return open(options);
}

std::string message(const Error &error) { return error.diagnostics()[0].message; }

} // namespace

TEST_CASE("a call without a config uses the session's default config, at each door") {
  auto session = open(SessionOptions{.default_config = ptx_function});
  CHECK(session->default_config() == ptx_function);
  const std::string call = "plain(Int64)";
  CHECK_THAT(must(session->compile(call, ArtifactKind::Assembly))->bytes, Contains(".func"));
  const Job job = must(session->job(call));
  CHECK(job.config().target.name() == "ptx");
  CHECK_FALSE(job.config().kernel);
  CHECK_THAT(must(session->submit({.call = call}).get())->bytes, Contains(".func"));
  const CompileRequest request{.call = call};
  CHECK_THAT(must(std::move(session->compile_many({&request, 1})[0]))->bytes, Contains(".func"));
  CHECK(must(session->read_config("{\"O\": 1}")).target.name() == "ptx");
  CHECK(must(session->read_configs("{\"arch\": \"sm_90\"}")).size() == 1);
  const Value function = must(evaluate(*session, "x", "plain"));
  const ResolvedCall resolved = must(resolve_call(*session, call));
  CHECK(must(kiln::job(*session, resolved)).config().target.name() == "ptx");
}

TEST_CASE("launches and prepared code use the default config") {
  SessionOptions options;
  options.default_config.opt_level = 1;
  std::vector<int> levels;
  options.on_job = [&](const JobRequest &request) -> Result<void> {
    levels.push_back(int(request.config.opt_level));
    return {};
  };
  auto session = open(options);
  std::vector<float> y(1);
  const std::vector<Argument> arguments{Argument::array(y.data(), {1}), Argument::scalar(2.5f)};
  must(session->launch("fill", {}, arguments));
  must(session->launch(session->cpu(), "fill", {}, arguments));
  Stream stream = session->stream();
  must(session->launch(stream, "fill", {}, arguments));
  must(stream.synchronize());
  must(session->prepare(fill));
  must(session->prepare_function("plain(Int64)"));
  const CompileRequest request{.call = fill};
  must(std::move(session->prepare_many({&request, 1}, session->cpu())[0]));
  const Value plain = must(evaluate(*session, "x", "plain"));
  const Value two[] = {session->world().types().int64(2)};
  CHECK(must(call_function(*session, plain, two)).low_bits() == 3);
  CHECK(y[0] == 2.5f);
  // The second and third launch find the first one's kernel.
  CHECK(levels == std::vector<int>(5, 1));
}

TEST_CASE("a config that a call gives wins, also one that equals CompilerConfig{}") {
  auto session = open(SessionOptions{.default_config = ptx_function});
  CHECK(must(session->job("plain(Int64)", CompilerConfig{.kernel = false})).config().target.name() ==
        "native");
  const CompilerConfig none;
  CHECK(must(session->job(fill, none)).config().target.name() == "native");
  CHECK(must(session->job(fill, none)).config().kernel);
  CHECK(must(session->read_config("{}", none)).target.name() == "native");
  const CompileRequest request{.call = "plain(Int64)", .config = CompilerConfig{.kernel = false}};
  CHECK_THAT(must(std::move(session->compile_many({&request, 1})[0]))->bytes, !Contains(".func"));
}

TEST_CASE("a default config that is wrong is told when the session opens") {
  SessionOptions options;
  options.cache_dir = "";
  options.default_config.opt_level = 17;
  auto opened = Session::open(options);
  REQUIRE(!opened.ok());
  CHECK(opened.error().kind() == ErrorKind::Usage);
}

TEST_CASE("on_job hears of each request once, on the requesting thread") {
  Seen seen;
  auto session = open(seen);
  auto heard = [&] { return std::exchange(seen.calls, {}); };
  using Calls = std::vector<std::string>;
  must(session->compile("plain(Int64)", {.kernel = false}, ArtifactKind::Object));
  CHECK(heard() == Calls{"plain(Int64) native"});
  must(session->compile("plain(Int64)", {.kernel = false}, ArtifactKind::Object)); // from the cache
  CHECK(heard() == Calls{"plain(Int64) native"});
  const Job job = must(session->job("plain(Int64)", ptx_function));
  CHECK(heard() == Calls{"plain(Int64) ptx"});
  must(job.compile(ArtifactKind::Assembly)); // a held job is no new request
  must(session->submit({.job = job}).get());
  CHECK(heard() == Calls{});
  must(session->submit({.call = "plain(Int64)", .config = ptx_function}).get());
  CHECK(heard() == Calls{"plain(Int64) ptx"});
  const std::vector<CompileRequest> requests(20, {.call = fill, .config = CompilerConfig{}});
  for (auto &made : session->compile_many(requests)) must(std::move(made));
  CHECK(heard() == Calls(20, std::string(fill) + " native"));
  for (auto &made : session->prepare_many(requests, session->cpu())) must(std::move(made));
  CHECK(heard() == Calls(20, std::string(fill) + " native"));
  must(session->prepare(fill));
  CHECK(heard().size() == 1);
  std::vector<float> y(1);
  for (int i = 0; i < 3; ++i)
    must(session->launch("fill", {}, {Argument::array(y.data(), {1}), Argument::scalar(1.0f)}));
  CHECK(heard().size() == 1);
  for (std::thread::id thread : seen.threads) CHECK(thread == std::this_thread::get_id());
}

TEST_CASE("an error of on_job ends the job, and no other") {
  Seen seen;
  auto session = open(seen);
  seen.refuses = "plain";
  auto refused = session->compile("plain(Int64)", {.kernel = false}, ArtifactKind::Object);
  REQUIRE(!refused.ok());
  CHECK(message(refused.error()) == "not this one");
  CHECK(!session->job("plain(Int64)").ok());
  CHECK(!session->prepare_function("plain(Int64)").ok());
  CHECK(!session->submit({.call = "plain(Int64)"}).get().ok());
  const std::vector<CompileRequest> requests{{.call = fill}, {.call = "plain(Int64)"}};
  auto made = session->compile_many(requests);
  CHECK(made[0].ok());
  REQUIRE(!made[1].ok());
  CHECK(message(made[1].error()) == "not this one");
  auto prepared = session->prepare_many(requests, session->cpu());
  CHECK(prepared[0].ok());
  CHECK(!prepared[1].ok());
}

TEST_CASE("on_job may not call the session, and what it throws is an error") {
  SessionOptions options;
  Session *called = nullptr;
  std::string said;
  options.on_job = [&](const JobRequest &) -> Result<void> {
    if (!called) throw 1;
    if (auto job = called->job("plain(Int64)"); !job.ok()) said = message(job.error());
    return {};
  };
  auto session = open(options);
  auto thrown = session->job("plain(Int64)");
  REQUIRE(!thrown.ok());
  CHECK_THAT(message(thrown.error()), Contains("SessionOptions::on_job threw an exception"));
  called = session.get();
  must(session->job("plain(Int64)"));
  CHECK_THAT(said, Contains("callback"));
}

} // namespace defaults_test
