// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sessions that must not compile: what a cache has runs, all else is an error that names the job.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>

#include <catch2/catch.hpp>

namespace kiln::test {

namespace {

constexpr const char *program = R"(
using CUDA
function add(y, x)
    i = threadIdx().x
    if i <= length(y)
        y[i] += x
    end
    return
end
function other(y, x)
    y[1] = x
    return
end
)";
constexpr const char *add = "add(CuDeviceVector{Float32,1}, Float32)";
constexpr const char *other = "other(CuDeviceVector{Float32,1}, Float32)";

using Mode = SessionOptions::CompileMode;

std::unique_ptr<Session> open(const Scratch &folder, std::optional<Mode> mode) {
  auto session = must(Session::open({.cache_dir = folder.path.string(), .compile = mode}));
  must(session->load("add.jl", program));
  return session;
}

} // namespace

TEST_CASE("a session that must not compile takes what the cache has, and refuses all else by name") {
  const Scratch folder;
  const CompilerConfig native, ptx{.target = PtxOptions()};
  std::string text;
  {
    auto filling = open(folder, Mode::Auto);
    text = must(filling->compile(add, ptx, ArtifactKind::Assembly))->bytes;
    must(filling->compile(add, native, ArtifactKind::Object));
    filling->flush_cache();
  }
  const bool by_environment = GENERATE(false, true);
  const Variable variable("KILN_COMPILE", by_environment ? "never" : nullptr);
  auto session = open(folder, by_environment ? std::nullopt : std::optional(Mode::Never));
  CHECK(must(session->compile(add, ptx, ArtifactKind::Assembly))->bytes == text);
  std::vector<float> y(64, 1.0f);
  must(session->launch("add", {.threads = {64, 1, 1}},
                       {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(1.0f)}));
  CHECK(y == std::vector<float>(64, 2.0f));
  CHECK(session->counters().compiled == 0);

  for (const auto &[config, kind] :
       {std::pair(ptx, ArtifactKind::Assembly), {native, ArtifactKind::Object}}) {
    auto refused = session->compile(other, config, kind);
    REQUIRE(!refused.ok());
    CHECK(refused.error().code() == ErrorCode::NotCompiled);
    CHECK(refused.error().kind() == ErrorKind::Usage);
    CHECK_THAT(refused.error().what(), Catch::Contains("other(::CuDeviceArray{Float32, 1, 1}, ::Float32)") &&
                                           Catch::Contains("must not compile"));
  }
  CHECK(must(session->compile(other, ptx, ArtifactKind::Typed))->bytes.find("other") != std::string::npos);
  CHECK(session->counters().assembled == 0);
}

TEST_CASE("a session may compile in spite of the environment") {
  const Scratch folder;
  const Variable variable("KILN_COMPILE", "never");
  must(open(folder, Mode::Auto)->compile(other, {.target = PtxOptions()}, ArtifactKind::Assembly));
}

TEST_CASE("values that the mode does not take") {
  const Scratch folder;
  SessionOptions options{.cache_dir = folder.path.string(), .compile = Mode(7)};
  CHECK_THAT(Session::open(options).error().what(), Catch::Contains("SessionOptions::compile is 7"));
  options.compile = Mode::Never;
  options.check_cache = true;
  CHECK_THAT(Session::open(options).error().what(), Catch::Contains("check_cache"));
  {
    const Variable never("KILN_COMPILE", "never");
    options.compile = std::nullopt;
    CHECK_THAT(Session::open(options).error().what(), Catch::Contains("check_cache"));
  }
  const Variable variable("KILN_COMPILE", "sometimes");
  CHECK_THAT(Session::open({.cache_dir = ""}).error().what(),
             Catch::Contains("KILN_COMPILE takes auto or never"));
}

} // namespace kiln::test
