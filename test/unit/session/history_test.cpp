// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A random history of definitions: after each one the kernel computes what a model of the functions computes,
// as many functions are inferred again as a model of who relied on whom says, and in the end a session that
// saw only the last definitions makes the same bytes.
#include <catch2/catch.hpp>

#include <session/session.h>

#include <functional>
#include <random>
#include <set>

namespace history_test {

using namespace kiln;

namespace {

constexpr int count = 14;

/// f<i>(x) = x * scale + shift + the sum of f<j>(x) over callees, all j > i.
struct Function {
  int64_t scale = 1, shift = 0;
  std::set<int> callees;
};

struct Program {
  std::vector<Function> any{size_t(count)};                   ///< f<i>(x)
  std::vector<std::optional<Function>> on_int{size_t(count)}; ///< f<i>(x::Int64), where there is one

  const Function &called(int i) const { return on_int[size_t(i)] ? *on_int[size_t(i)] : any[size_t(i)]; }
  int64_t value(int i, int64_t x) const {
    const Function &f = called(i);
    uint64_t sum = uint64_t(x) * uint64_t(f.scale) + uint64_t(f.shift);
    for (int j : f.callees) sum += uint64_t(value(j, x));
    return int64_t(sum);
  }
  static std::string text(int i, const Function &f, const char *type) {
    std::string body = fmt::format("@noinline f{}(x{}) = x * {} + {}", i, type, f.scale, f.shift);
    for (int j : f.callees) body += fmt::format(" + f{}(x)", j);
    return body + "\n";
  }
};

/// Which functions have been inferred and stand, with the calls they were inferred with.
struct Model {
  std::vector<bool> stands = std::vector<bool>(count, false);
  std::vector<std::set<int>> callees{size_t(count)};
  bool kernel_stands = false;

  void redefined(int changed) {
    std::vector<bool> ends(count, false);
    ends[size_t(changed)] = true;
    for (int i = count - 1; i >= 0; i--) // callees have higher numbers
      for (int j : callees[size_t(i)])
        if (stands[size_t(i)] && ends[size_t(j)]) ends[size_t(i)] = true;
    if (ends[0]) kernel_stands = false;
    for (int i = 0; i < count; i++)
      if (ends[size_t(i)]) stands[size_t(i)] = false;
  }
  /// Infers the kernel; how many functions that takes.
  uint64_t infer(const Program &program) {
    uint64_t inferred = 0;
    std::function<void(int)> visit = [&](int i) {
      if (stands[size_t(i)]) return;
      stands[size_t(i)] = true;
      inferred++;
      callees[size_t(i)] = program.called(i).callees;
      for (int j : callees[size_t(i)]) visit(j);
    };
    visit(0);
    if (!kernel_stands) inferred++;
    kernel_stands = true;
    return inferred;
  }
};

std::unique_ptr<Session> open() {
  auto opened = Session::open();
  if (!opened.ok()) FAIL(opened.error().what());
  return std::move(*opened);
}

void load(Session &session, const std::string &text) {
  auto loaded = session.load("history.jl", text);
  if (!loaded.ok()) FAIL(loaded.error().what());
}

int64_t run(Session &session, int64_t x) {
  int64_t values[1] = {x};
  auto launched = session.launch("k", {}, {Argument::array(values, {1})});
  if (!launched.ok()) FAIL(launched.error().what());
  return values[0];
}

std::string assembly(Session &session) {
  CompilerConfig config;
  config.target = PtxOptions();
  config.debug_level = 0; // places differ: the last definitions stand elsewhere
  auto made = session.compile("k(CuDeviceVector{Int64,1})", config, ArtifactKind::Assembly);
  if (!made.ok()) FAIL(made.error().what());
  return (*made)->bytes;
}

constexpr const char *kernel = "function k(a)\n  @inbounds a[1] = f0(a[1])\n  return\nend\n";

} // namespace

TEST_CASE("a random history of definitions recompiles exactly what relied on what changed") {
  for (unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    auto draw = [&](int n) { return int(random() % unsigned(n)); };
    auto make = [&](int i) {
      Function f{draw(7) - 3, draw(1000), {}};
      for (int j = i + 1; j < count; j++)
        if (draw(count - i) < 2) f.callees.insert(j);
      return f;
    };
    Program program;
    Model model;
    auto session = open();
    std::string all = kernel;
    for (int i = 0; i < count; i++) all += Program::text(i, program.any[size_t(i)] = make(i), "");
    load(*session, all);
    // What the arithmetic itself needs, sums of 2 up to `count` + 2 terms, is inferred by a function of the
    // same operations.
    std::string warm = "function warm(a)\n", sum = "a[1] * 3 + 4";
    for (int terms = 2; terms <= count + 2; terms++, sum += " + a[1]")
      warm += "  @inbounds a[1] = " + sum + "\n";
    load(*session, warm + "  return\nend\n");
    int64_t any[1] = {1};
    if (auto ran = session->launch("warm", {}, {Argument::array(any, {1})}); !ran.ok())
      FAIL(ran.error().what());

    uint64_t before = session->counters().inferred;
    REQUIRE(run(*session, 5) == program.value(0, 5));
    CHECK(session->counters().inferred - before == model.infer(program));
    uint64_t redone = 0, in_full = 0;
    for (int step = 0; step < 120; step++) {
      int i = draw(count), what = draw(10);
      if (what == 0) { // a method that the calls do not reach ends nothing
        load(*session, Program::text(i, make(i), "::Float64"));
      } else if (what <= 2) {
        program.on_int[size_t(i)] = make(i);
        load(*session, Program::text(i, *program.on_int[size_t(i)], "::Int64"));
        model.redefined(i);
      } else {
        program.any[size_t(i)] = make(i);
        load(*session, Program::text(i, program.any[size_t(i)], ""));
        if (!program.on_int[size_t(i)]) model.redefined(i); // else hidden by the method for Int64
      }
      if (draw(3) == 0) continue; // several definitions before the next compile
      before = session->counters().inferred;
      int64_t x = draw(100) - 50;
      INFO("seed " << seed << ", step " << step);
      REQUIRE(run(*session, x) == program.value(0, x));
      uint64_t inferred = session->counters().inferred - before;
      CHECK(inferred == model.infer(program));
      redone += inferred;
      Model full;
      in_full += full.infer(program);
    }
    INFO("inferred " << redone << " functions; recompiling all each time would have taken " << in_full);
    CHECK(redone < in_full);

    auto fresh = open();
    std::string last = kernel;
    for (int i = 0; i < count; i++) {
      last += Program::text(i, program.any[size_t(i)], "");
      if (program.on_int[size_t(i)]) last += Program::text(i, *program.on_int[size_t(i)], "::Int64");
    }
    load(*fresh, last);
    CHECK(assembly(*session) == assembly(*fresh));
  }
}

} // namespace history_test
