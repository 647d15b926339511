// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session as an embedder uses it: launches, redefinition and what it recompiles, exceptions, threads,
// bytes.
#include "must.h"

#include <catch2/catch.hpp>

#include <kiln/kiln.h>

#include <numeric>
#include <thread>

namespace session_test {

using namespace kiln;
using kiln::test::must;

namespace {

std::unique_ptr<Session> open() {
  auto opened = Session::open();
  if (!opened.ok()) FAIL(opened.error().what());
  return std::move(*opened);
}

void load(Session &session, const std::string &text, const std::string &name = "test.jl") {
  auto loaded = session.load(name, text);
  if (!loaded.ok()) FAIL(loaded.error().what());
}

constexpr const char *scale = R"(
factor() = 2f0
function scale(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = factor() * y[i]
    end
    return
end
function other(y)
    @inbounds y[1] = 7f0
    return
end
)";

} // namespace

TEST_CASE("a grid runs every thread once, in one, two and three dimensions") {
  auto session = open();
  load(*session, R"(
function mark(a)
    x = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    y = (blockIdx().y - 1) * blockDim().y + threadIdx().y
    z = (blockIdx().z - 1) * blockDim().z + threadIdx().z
    if x <= size(a, 1) && y <= size(a, 2) && z <= size(a, 3)
        a[x, y, z] += x + 100 * y + 10000 * z
    end
    return
end
)");
  std::vector<int64_t> a(size_t(13) * 7 * 5, 0);
  must(session->launch("mark", {.blocks = {4, 3, 2}, .threads = {4, 4, 3}},
                       {Argument::array(a.data(), {13, 7, 5})}));
  for (int64_t z = 0; z < 5; z++)
    for (int64_t y = 0; y < 7; y++)
      for (int64_t x = 0; x < 13; x++)
        REQUIRE(a[size_t(x + 13 * (y + 7 * z))] == (x + 1) + 100 * (y + 1) + 10000 * (z + 1));
}

TEST_CASE("redefinition recompiles what relied on it, and nothing else") {
  auto session = open();
  load(*session, scale);
  std::vector<float> y(64, 1.0f);
  auto run = [&](const char *kernel) {
    must(session->launch(kernel, {.blocks = {1, 1, 1}, .threads = {64, 1, 1}},
                         {Argument::array(y.data(), {64})}));
  };
  run("scale");
  run("other");
  CHECK(y[1] == 2.0f);
  auto before = session->counters();
  CHECK(before.compiled == 2);
  run("scale");
  run("other");
  CHECK(session->counters().compiled == 2);
  CHECK(session->counters().hits == before.hits + 2);

  load(*session, "factor() = 10f0\n", "again.jl");
  run("other");
  CHECK(session->counters().compiled == 2); // it never called factor
  y[1] = 1.0f;
  run("scale");
  CHECK(y[1] == 10.0f);
  CHECK(session->counters().compiled == 3);

  load(*session, "unrelated(x) = x\n", "more.jl");
  auto inferred = session->counters().inferred;
  run("scale");
  CHECK(session->counters().inferred == inferred);
  CHECK(session->counters().compiled == 3);
}

TEST_CASE("a @generated method makes its code once for each argument types, and anew when it is redefined") {
  auto session = open();
  load(*session, "@generated width(x) = sizeof(x)\nk(y) = (y[1] = width(y[1]); nothing)\n");
  std::vector<float> y(1);
  std::vector<double> z(1);
  auto run = [&](Argument to) { must(session->launch("k", {}, {to})); };
  run(Argument::array(y.data(), {1}));
  run(Argument::array(z.data(), {1}));
  CHECK(y[0] == 4.0f);
  CHECK(z[0] == 8.0);
  auto compiled = session->counters().compiled;
  run(Argument::array(y.data(), {1}));
  CHECK(session->counters().compiled == compiled);
  load(*session, "@generated width(x) = :(10 * $(sizeof(x)))\n", "again.jl");
  run(Argument::array(y.data(), {1}));
  run(Argument::array(z.data(), {1}));
  CHECK(y[0] == 40.0f);
  CHECK(z[0] == 80.0);
}

TEST_CASE("a definition equal to an old one finds the old code") {
  auto session = open();
  load(*session, "k(y) = (y[1] = 1f0; nothing)\n");
  std::vector<float> y(1);
  auto run = [&] { must(session->launch("k", {}, {Argument::array(y.data(), {1})})); };
  run();
  load(*session, "k(y) = (y[1] = 2f0; nothing)\n", "two.jl");
  run();
  CHECK(y[0] == 2.0f);
  load(*session, "\n\nk(y) = (y[1] = 1f0; nothing)\n", "three.jl");
  run();
  CHECK(y[0] == 1.0f);
}

TEST_CASE("an exception names its kind, thread, block and lines, and ends its thread only") {
  auto session = open();
  load(*session, R"(function store(y)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    y[i] = 5f0
    return
end
)");
  std::vector<float> y(10, 0.0f);
  auto launched = session->launch("store", {.blocks = {3, 1, 1}, .threads = {4, 1, 1}},
                                  {Argument::array(y.data(), {10})});
  REQUIRE(!launched.ok());
  CHECK(launched.error().kind() == ErrorKind::Input);
  std::string text = launched.error().what();
  CAPTURE(text);
  CHECK(text.find("BoundsError") != std::string::npos);
  CHECK(text.find("block (3, 1, 1)") != std::string::npos);
  CHECK(text.find("store") != std::string::npos);
  CHECK(text.find("test.jl") != std::string::npos);
  for (float v : y) CHECK(v == 5.0f); // threads 11 and 12 ended; the others ran
  std::vector<float> z(12, 0.0f);
  must(session->launch("store", {.blocks = {3, 1, 1}, .threads = {4, 1, 1}},
                       {Argument::array(z.data(), {12})}));
  CHECK(z.back() == 5.0f);
}

TEST_CASE("shapes that cannot be launched") {
  auto session = open();
  load(*session, scale);
  std::vector<float> y(1);
  for (LaunchShape shape : {LaunchShape{.blocks = {0, 1, 1}}, LaunchShape{.threads = {0, 1, 1}},
                            LaunchShape{.threads = {1025, 1, 1}}, LaunchShape{.shared_bytes = 1 << 20}}) {
    auto launched = session->launch("other", shape, {Argument::array(y.data(), {1})});
    REQUIRE(!launched.ok());
    CHECK(launched.error().kind() == ErrorKind::Usage);
  }
}

TEST_CASE("the same job gives the same bytes, whatever was compiled before") {
  constexpr const char *text = R"(
@noinline leaf(x) = x * 3f0 + abs(x)
@noinline node(f, x) = f(x) + leaf(x)
function k1(y)
    @inbounds y[1] = node(leaf, y[1]) + leaf(y[2])
    return
end
function k2(y)
    @inbounds y[1] = node(sqrt, y[1]) + leaf(y[2])
    return
end
)";
  CompilerConfig ptx;
  ptx.target = PtxOptions();
  auto compile = [&](Session &s, const char *call) {
    return must(s.compile(call, ptx, ArtifactKind::Assembly))->bytes;
  };
  const char *k1 = "k1(CuDeviceVector{Float32,1})", *k2 = "k2(CuDeviceVector{Float32,1})";
  auto a = open(), b = open();
  load(*a, text);
  load(*b, text);
  std::string a1 = compile(*a, k1), a2 = compile(*a, k2);
  std::string b2 = compile(*b, k2), b1 = compile(*b, k1);
  CHECK(a1.find("callseq") != std::string::npos); // it does contain calls that were not inlined
  CHECK(a1 == b1);
  CHECK(a2 == b2);
}

TEST_CASE("many threads compile different kernels of one session at once") {
  auto session = open();
  std::string text;
  for (int i = 0; i < 32; i++)
    text += "k" + std::to_string(i) + "(y) = (@inbounds y[1] = Float32(" + std::to_string(i) +
            ") + y[2]; nothing)\n";
  load(*session, text);
  CompilerConfig ptx;
  ptx.target = PtxOptions();
  auto call = [](int i) { return "k" + std::to_string(i) + "(CuDeviceVector{Float32,1})"; };
  std::vector<std::string> parallel(32);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int n = 0; n < 32; n++) {
        int i = (n + 8 * t) % 32;
        auto made = session->compile(call(i), ptx, ArtifactKind::Assembly);
        if (made.ok() && t == 0) parallel[size_t(i)] = (*made)->bytes;
      }
    });
  for (auto &thread : threads) thread.join();
  CHECK(session->counters().compiled == 32);
  auto serial = open();
  load(*serial, text);
  for (int i = 0; i < 32; i++)
    CHECK(must(serial->compile(call(i), ptx, ArtifactKind::Assembly))->bytes == parallel[size_t(i)]);
}

TEST_CASE("stages cover the time") {
  auto opened = Session::open({.timings = true});
  REQUIRE(opened.ok());
  Session &session = **opened;
  load(session, scale);
  CompilerConfig ptx;
  ptx.target = PtxOptions();
  must(session.compile("scale(CuDeviceVector{Float32,1})", ptx, ArtifactKind::Assembly));
  TimingReport report = session.timings();
  uint64_t top = 0, untimed = 0;
  std::vector<std::string> names;
  for (const TimingRow &row : report.rows) {
    names.push_back(row.name);
    if (row.depth == 0) top += row.nanoseconds;
    if (row.name == "untimed") untimed = row.nanoseconds;
  }
  for (const char *stage :
       {"front-end", "parse", "lower", "inference", "IR generation", "emission", "rewrite", "LLVM middle-end",
        "validation", "LLVM back-end", "preparation", "machine-code generation"})
    CHECK(std::count(names.begin(), names.end(), std::string(stage)) >= 1);
  CHECK(top >= report.wall_nanoseconds * 95 / 100);
  CHECK(untimed * 20 <= report.wall_nanoseconds + 20'000'000); // 5 %, give or take a busy machine
  CHECK(report.table().find("Section") != std::string::npos);
  CHECK(report.json().find("\"inference\"") != std::string::npos);
}

} // namespace session_test
