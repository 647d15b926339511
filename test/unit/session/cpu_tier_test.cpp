// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two tiers of kernels on the CPU: equal bits, the replacement of the first tier while launches run, and
// the cases without a first tier.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>

#include <catch2/catch.hpp>

#include <bit>
#include <chrono>
#include <cmath>
#include <thread>

namespace kiln::test {

namespace {

using Tier = SessionOptions::CpuTier;

constexpr const char *tier_program = R"(
using CUDA
function mix(y, x, n)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= n
        s = 0f0
        for k in 1:4
            s = muladd(x[i], s, x[(i + k * 7) % n + 1]) * 1.0009765625f0
            s += x[i] * y[i]
        end
        @inbounds y[i] = s / (1f0 + x[i] * x[i])
    end
    return
end
function waves(y, x, n)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= n
        e = 0.0
        for k in 0:2
            e += sin(0.7f0 * k) * Float64(x[i])^2.0 + pow(abs(x[i]), Float32(k))
        end
        @inbounds y[i] = Float32(e) + exp(x[i]) - log(2f0) * tanh(x[i])
    end
    return
end
function sums(y, x, n)
    t = threadIdx().x
    s = @cuStaticSharedMem(Float32, 256)
    i = (blockIdx().x - 1i32) * blockDim().x + t
    s[t] = i <= n ? x[i] : 0f0
    sync_threads()
    d = 128
    while d > 0
        if t <= d
            s[t] += s[t + d]
        end
        sync_threads()
        d ÷= 2
    end
    if t == 1
        y[blockIdx().x] = s[1]
    end
    return
end
function relaxed(y, x, n)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    s = 0f0
    for k in 1:64
        @fastmath s += x[(i + k) % n + 1] * x[k]
    end
    if i <= n
        @inbounds y[i] = s
    end
    return
end
function add_one(y, n)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= n
        @inbounds y[i] += one(eltype(y))
    end
    return
end
)";

std::unique_ptr<Session> open_tiers(Tier tier, const std::string &folder = {}) {
  auto session = must(Session::open({.cpu_tier = tier, .cache_dir = folder}));
  must(session->load("tiers.jl", tier_program));
  return session;
}

std::vector<float> tier_numbers(size_t count, uint32_t seed) {
  std::vector<float> made(count);
  for (float &each : made) {
    seed = seed * 1664525u + 1013904223u;
    each = float(int32_t(seed)) / float(1 << 28);
  }
  return made;
}

constexpr int64_t elements = 2000;

std::vector<uint32_t> bits_of(Session &session, const char *kernel, const CompilerConfig &config = {}) {
  std::vector<float> y = tier_numbers(elements, 1), x = tier_numbers(elements, 2);
  must(session.launch(kernel, {.blocks = {8, 1, 1}, .threads = {256, 1, 1}},
                      {Argument::array(y.data(), {elements}), Argument::array(x.data(), {elements}),
                       Argument::scalar(elements)},
                      config));
  std::vector<uint32_t> bits;
  for (const float each : y) bits.push_back(std::bit_cast<uint32_t>(each));
  return bits;
}

template <class Condition> bool holds_soon(Condition &&holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Launches `add_one` until the kernel has run long enough to be hot, and counts the launches.
int make_hot(Session &session, std::vector<int64_t> &y) {
  for (int launches = 1;; launches++) {
    must(session.launch(
        "add_one", {.blocks = {uint32_t(y.size() / 256), 1, 1}, .threads = {256, 1, 1}},
        {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(int64_t(y.size()))}));
    if (session.counters().swapped) return launches;
    REQUIRE(launches < 1'000'000);
  }
}

} // namespace

TEST_CASE("both tiers compute the bits of an independent evaluation") {
  auto first = open_tiers(Tier::First), optimized = open_tiers(Tier::Optimized);
  const std::vector<uint32_t> bits = bits_of(*first, "mix");
  CHECK(bits == bits_of(*optimized, "mix"));
  CHECK(first->counters().quick == 1);
  CHECK(optimized->counters().quick == 0);
  const std::vector<float> y = tier_numbers(elements, 1), x = tier_numbers(elements, 2);
  for (int64_t i = 1; i <= elements; i++) {
    const volatile float v = x[size_t(i - 1)];
    float s = 0;
    for (int64_t k = 1; k <= 4; k++) {
      const volatile float product =
          std::fma(v, s, x[size_t((i + k * 7) % elements)]) * 1.0009765625f; // rounded before the sum
      const volatile float other = v * y[size_t(i - 1)];
      s = product + other;
    }
    const volatile float square = v * v;
    const float wanted = s / (1.0f + square);
    REQUIRE(bits[size_t(i - 1)] == std::bit_cast<uint32_t>(wanted));
  }
}

TEST_CASE("mathematical functions, reductions and relaxed arithmetic have equal bits in both tiers") {
  auto first = open_tiers(Tier::First), optimized = open_tiers(Tier::Optimized);
  for (const char *kernel : {"waves", "sums", "relaxed"})
    for (const int level : {2, 3}) {
      CAPTURE(kernel, level);
      CHECK(bits_of(*first, kernel, {.opt_level = level}) ==
            bits_of(*optimized, kernel, {.opt_level = level}));
    }
}

TEST_CASE("optimised code replaces the first tier of a hot kernel") {
  auto session = open_tiers(Tier::Auto);
  std::vector<int64_t> y(256 * 64);
  const int launches = make_hot(*session, y);
  CHECK(y == std::vector<int64_t>(y.size(), launches));
  CHECK(session->counters().quick == 1);
  CHECK(session->counters().compiled == 2);
  std::vector<int64_t> again(256 * 64);
  must(session->launch("add_one", {.blocks = {64, 1, 1}, .threads = {256, 1, 1}},
                       {Argument::array(again.data(), {256 * 64}), Argument::scalar(int64_t(256 * 64))}));
  CHECK(again == std::vector<int64_t>(again.size(), 1));
  CHECK(session->counters().compiled == 2);
}

TEST_CASE("a kernel changes its code while threads and streams launch it") {
  auto session = open_tiers(Tier::Auto);
  constexpr int threads = 6, rounds = 400;
  constexpr int64_t count = 256 * 16;
  std::vector<std::vector<int64_t>> arrays(threads, std::vector<int64_t>(count));
  std::vector<std::thread> running;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; t++)
    running.emplace_back([&, t] {
      Stream stream = session->stream();
      for (int i = 0; i < rounds; i++) {
        const LaunchShape shape{.blocks = {16, 1, 1}, .threads = {256, 1, 1}};
        const auto array = Argument::array(arrays[size_t(t)].data(), {count});
        const Result<void> done =
            t % 2 ? session->launch("add_one", shape, {array, Argument::scalar(count)})
                  : session->launch(stream, "add_one", shape, {array, Argument::scalar(count)});
        if (!done.ok()) failures++;
      }
      if (!stream.synchronize().ok()) failures++;
    });
  for (std::thread &each : running) each.join();
  CHECK(failures == 0);
  for (const auto &array : arrays) CHECK(array == std::vector<int64_t>(count, rounds));
  std::vector<int64_t> y(256 * 64);
  make_hot(*session, y);
}

TEST_CASE("a long launch continues with optimised code") {
  auto session = open_tiers(Tier::Auto);
  std::vector<int64_t> y(1 << 22);
  must(session->launch("add_one", {.blocks = {1 << 14, 1, 1}, .threads = {256, 1, 1}},
                       {Argument::array(y.data(), {1 << 22}), Argument::scalar(int64_t(1 << 22))}));
  CHECK(y == std::vector<int64_t>(y.size(), 1));
  CHECK(holds_soon([&] { return session->counters().swapped == 1; }));
}

TEST_CASE("the first tier stays, and the folder keeps its code under its own key") {
  const Scratch folder;
  const std::string path = folder.path.string();
  std::vector<uint32_t> bits;
  {
    auto session = open_tiers(Tier::First, path);
    bits = bits_of(*session, "mix");
    CHECK(session->counters().compiled == 1);
    session->flush_cache();
  }
  {
    auto session = open_tiers(Tier::Optimized, path); // other key: compiles
    CHECK(bits_of(*session, "mix") == bits);
    CHECK(session->counters().compiled == 1);
    session->flush_cache();
  }
  auto session = open_tiers(Tier::Auto, path); // the folder has optimised code
  CHECK(bits_of(*session, "mix") == bits);
  CHECK(session->counters().compiled == 0);
  CHECK(session->counters().quick == 0);
}

TEST_CASE("a session that must not compile runs the first tier that a cache has, and never replaces it") {
  const Scratch folder;
  const std::string path = folder.path.string();
  {
    auto session = open_tiers(Tier::First, path);
    bits_of(*session, "mix");
    session->flush_cache();
  }
  auto session = must(Session::open(
      {.cpu_tier = Tier::Auto, .cache_dir = path, .compile = SessionOptions::CompileMode::Never}));
  must(session->load("tiers.jl", tier_program));
  bits_of(*session, "mix");
  CHECK(session->counters().quick == 1);
  const auto missed = session->launch("waves", {}, {});
  CHECK(!missed.ok());
}

TEST_CASE("kernels with observers, without optimisation or for the debugger have no first tier") {
  auto session = open_tiers(Tier::First);
  bits_of(*session, "mix", {.opt_level = 1});
  bits_of(*session, "mix", {.debug_level = 2});
  bits_of(*session, "mix", {.target = [] {
    TargetSpec spec = NativeOptions();
    spec.fast_math = true;
    return spec;
  }()});
  CHECK(session->counters().quick == 0);
  int seen = 0;
  auto observation = session->observe([&](const ObservedProduct &) { seen++; });
  bits_of(*session, "mix");
  CHECK(seen > 0);
  CHECK(session->counters().quick == 0);
}

TEST_CASE("KILN_CPU_TIER chooses the tiers") {
  {
    const Variable variable("KILN_CPU_TIER", "optimized");
    auto session = must(Session::open({.cache_dir = ""}));
    must(session->load("tiers.jl", tier_program));
    bits_of(*session, "mix");
    CHECK(session->counters().quick == 0);
  }
  const Variable variable("KILN_CPU_TIER", "fast");
  const auto session = Session::open({.cache_dir = ""});
  REQUIRE(!session.ok());
  CHECK_THAT(session.error().what(),
             Catch::Contains("KILN_CPU_TIER takes auto, optimized or first, not `fast`"));
}

} // namespace kiln::test
