// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested jobs (CompilerConfig::nested, deferred_codegen_in): functions of a job compiled with a config, hooks
// or a target of their own. Values are computed by hand beside each program.
#include "nested.h"
#include "toy_language.h"

#include <cmath>

namespace nested_test {

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

TEST_CASE("a nested job's hooks change the callee and nothing else") {
  auto session = open();
  must(session->load("nested.jl", nested_program));
  // (1 + 7777) twice; then (1 + 100) + (1 + 7777).
  CHECK(call<int64_t>(*session, "outer(Int64)", plain({named("ad")}), 1) == 15556);
  CHECK(call<int64_t>(*session, "outer(Int64)",
                      plain({named("ad", with_hooks(std::make_shared<Replace>(7777, 100)))}), 1) == 7879);
  // The job's own hooks do not see the nested module, which they would change too.
  CompilerConfig own = plain({named("ad")});
  own.hooks = std::make_shared<Replace>(7777, 100);
  CHECK(call<int64_t>(*session, "outer(Int64)", own, 1) == 7879);
}

TEST_CASE("a body that a language builds has code of a nested job") {
  Toy toy;
  const TypeRef i64 = toy.t().Int64;
  toy.define("inner", {i64}, [](BodyBuilder &body) -> Result<Operand> {
    return body.intrinsic(Intrinsic::add_int, {body.argument(0), body.int64(7777)});
  });
  toy.define("outer", {i64}, [&](BodyBuilder &body) -> Result<Operand> {
    TypeContext &types = body.types();
    const Operand pointer = body.intrinsic(Intrinsic::deferred_codegen_in,
                                           {body.constant(Value::symbol(types, types.symbol("ad"))),
                                            body.constant(toy.function("inner")), body.type(i64)});
    return body.intrinsic(Intrinsic::pointer_call,
                          {pointer, body.type(i64), body.type(types.tuple({i64})), body.argument(0)});
  });
  auto outer = [&](NestedConfig nested) {
    CompilerConfig config;
    config.nested = {std::move(nested)};
    HostFunction function = must(toy.job("outer", {i64}, config).prepare_function());
    int64_t x = 1, result = 0;
    const void *arguments[] = {&x};
    must(function.call(arguments, &result));
    return result;
  };
  CHECK(outer(named("ad")) == 7778);
  CHECK(outer(named("ad", with_hooks(std::make_shared<Replace>(7777, 100)))) == 101);
}

TEST_CASE("the hooks of a nested job are called in the order of the pipeline") {
  auto session = open();
  must(session->load("nested.jl", nested_program));
  auto diary = std::make_shared<const Diary>();
  must(session->compile("outer(Int64)", plain({named("ad", with_hooks(diary))}), ArtifactKind::Object));
  CHECK(diary->take() == std::vector<std::string>{"prepare_job", "finish_module defined", "Llvm",
                                                  "link_libraries", "finish_linked_module", "optimize_module",
                                                  "finish_ir", "validate_ir", "LlvmOpt"});
  CompilerConfig unoptimised = with_hooks(diary);
  unoptimised.optimize = false;
  must(session->compile("outer(Int64)", plain({named("ad", unoptimised)}), ArtifactKind::Object));
  const std::vector<std::string> seen = diary->take();
  CHECK(std::ranges::count(seen, "optimize_module") == 0);
  CHECK(seen.size() == 8);
}

// Strictly, 1f0 + 1f8 rounds to 1f8 (the spacing of Float32 there is 8), so f(1f0) is 0; relaxed, (x + c) - c
// is x, so it is 1.
TEST_CASE("fast math is the nested job's own") {
  auto session = open();
  must(session->load("fast.jl", R"(
f(x) = (x + 1f8) - 1f8
outer(x) = 10f0 * ccall(deferred_codegen_in(Val(:ad), f, Float32), Float32, (Float32,), x) + f(x)
)"));
  auto relaxed = [](bool job, bool nested) {
    CompilerConfig inner;
    inner.target.fast_math = nested;
    CompilerConfig config = plain({named("ad", inner)});
    config.target.fast_math = job;
    return config;
  };
  CHECK(call<float>(*session, "outer(Float32)", relaxed(false, false), 1) == 0);
  CHECK(call<float>(*session, "outer(Float32)", relaxed(false, true), 1) == 10);
  CHECK(call<float>(*session, "outer(Float32)", relaxed(true, false), 1) == 1);
  CHECK(call<float>(*session, "outer(Float32)", relaxed(true, true), 1) == 11);
}

// Rounded twice, 0.1 * 10.0 is 1.0; fused, the sum has the rest that the product's rounding dropped: 0.1 is
// 3602879701896397 / 2^55, so 10 times it less 1 is 2 / 2^55. The job's own f has another argument (exact,
// but not for LLVM to know): LLVM joins equal products, and a joined product keeps no flag that one of them
// lacks.
TEST_CASE("contraction is the nested job's own on the CPU, and the job's where nothing is said") {
  auto session = open();
  must(session->load("rest.jl", R"(
f(x) = x * 10.0 - 1.0
outer(x) = ccall(deferred_codegen_in(Val(:ad), f, Float64), Float64, (Float64,), x) + 3.0 * f(x + x - x)
)"));
  auto rest = [&](Contraction job, Contraction nested) {
    CompilerConfig inner;
    inner.target.contract = nested;
    CompilerConfig config = plain({named("ad", inner)});
    config.target.contract = job;
    return std::ldexp(call<double>(*session, "outer(Float64)", config, 0.1), 54);
  };
  CHECK(rest(Contraction::Default, Contraction::Default) == 0);
  CHECK(rest(Contraction::Off, Contraction::On) == 1);
  CHECK(rest(Contraction::On, Contraction::Off) == 3);
  CHECK(rest(Contraction::On, Contraction::Default) == 4);
  CompilerConfig inner, ptx;
  ptx.target = PtxOptions{};
  inner.target = PtxOptions{};
  inner.target.contract = Contraction::Off;
  ptx.nested = {named("ad", inner)};
  ptx.kernel = false;
  auto refused = session->compile("outer(Float64)", ptx, ArtifactKind::Assembly);
  REQUIRE(!refused.ok());
  CHECK_THAT(refused.error().what(), Contains("turn it off in the job's own config"));
  ptx.target.contract = Contraction::Off;
  CHECK(session->compile("outer(Float64)", ptx, ArtifactKind::Assembly).ok());
}

TEST_CASE("in PTX a relaxed nested job's instructions stand beside exact ones") {
  auto session = open();
  must(session->load("root.jl", R"(
root(x) = sqrt(x)
function k(y)
    @inbounds y[1] = ccall(deferred_codegen_in(Val(:ad), root, Float32), Float32, (Float32,), y[1])
    @inbounds y[2] = sqrt(y[2])
    return
end
)"));
  CompilerConfig config;
  config.target = PtxOptions{};
  CompilerConfig relaxed = config;
  relaxed.target.fast_math = true;
  CompilerConfig strict = config;
  auto text = [&](const CompilerConfig &job, const CompilerConfig &nested) {
    CompilerConfig both = job;
    both.nested = {named("ad", nested)};
    return must(session->compile("k(CuDeviceVector{Float32,1})", both, ArtifactKind::Assembly))->bytes;
  };
  std::string mixed = text(strict, relaxed);
  CHECK(count(mixed, "sqrt.approx.ftz.f32") == 1);
  CHECK(count(mixed, "sqrt.rn.f32") == 1);
  mixed = text(relaxed, strict);
  CHECK(count(mixed, "sqrt.approx.ftz.f32") == 1);
  CHECK(count(mixed, "sqrt.rn.f32") == 1);
  CHECK(count(text(strict, strict), "sqrt.rn.f32") == 2);
  CHECK(count(text(relaxed, relaxed), "sqrt.approx.ftz.f32") == 2);
}

TEST_CASE("a nested job of another target sees that one's overlay, and its rewrites run") {
  const char *text = R"(
using CUDA
probe(x) = Int64(CUDA.laneid()) + 5151 * x
function k(y)
    @inbounds y[1] = ccall(deferred_codegen_in(Val(:other), probe, Int64), Int64, (Int64,), 1)
    @inbounds y[2] = probe(1)
    return
end
)";
  CompilerConfig other;
  other.target = WrappedOptions();
  SECTION("native") {
    WrappedTarget target{NativeOptions()};
    auto session = open({}, &target);
    must(session->load("probe.jl", text));
    CompilerConfig config;
    config.nested = {named("other", other)};
    int64_t y[2] = {0, 0};
    must(
        session->launch("k", {.blocks = {1, 1, 1}, .threads = {1, 1, 1}}, {Argument::array(y, {2})}, config));
    CHECK(y[0] == 77 + 42);  // its overlay and its rewrite
    CHECK(y[1] == 1 + 5151); // the first thread's lane
  }
  SECTION("ptx") {
    WrappedTarget target{PtxOptions()};
    auto session = open({}, &target);
    must(session->load("probe.jl", text));
    CompilerConfig config;
    config.target = PtxOptions();
    config.nested = {named("other", other)};
    const std::string ptx =
        must(session->compile("k(CuDeviceVector{Int64,1})", config, ArtifactKind::Assembly))->bytes;
    CHECK_THAT(ptx, Contains("119") && Contains("%laneid") && Contains("51")); // 77 + 42
    CHECK(count(ptx, ".visible .entry") == 1);
  }
}

TEST_CASE("a nested job in a kernel knows its thread, waits, throws and shares memory") {
  auto session = open();
  must(session->load("kernel.jl", R"(
using CUDA
function turned(y)
    s = CuStaticSharedArray(Int64, 32)
    i = threadIdx().x
    s[i] = y[i]
    sync_threads()
    y[i] = s[blockDim().x + 1 - i] + 10 * blockIdx().x
    return nothing
end
function k(y)
    ccall(deferred_codegen_in(Val(:ad), turned, typeof(y)), Nothing, (typeof(y),), y)
    return
end
)"));
  for (bool optimize : {true, false}) {
    CompilerConfig inner, config;
    inner.optimize = optimize;
    config.nested = {named("ad", inner)};
    int64_t y[4] = {1, 2, 3, 4};
    must(
        session->launch("k", {.blocks = {1, 1, 1}, .threads = {4, 1, 1}}, {Argument::array(y, {4})}, config));
    CHECK(std::vector<int64_t>(y, y + 4) == std::vector<int64_t>{14, 13, 12, 11});
    auto failed =
        session->launch("k", {.blocks = {1, 1, 1}, .threads = {5, 1, 1}}, {Argument::array(y, {4})}, config);
    REQUIRE(!failed.ok());
    CHECK_THAT(failed.error().what(), Contains("BoundsError") && Contains("kernel.jl:6"));
  }
}

TEST_CASE("nested jobs nest, and deferred_codegen works in them") {
  auto session = open();
  must(session->load("deep.jl", R"(
innermost(x) = x + 7777
plus(x) = x + 1
@noinline inner(x) = 2 * ccall(deferred_codegen_in(Val(:deep), innermost, Int64), Int64, (Int64,), x) +
                     ccall(deferred_codegen(plus, Int64), Int64, (Int64,), x)
outer(x) = ccall(deferred_codegen_in(Val(:ad), inner, Int64), Int64, (Int64,), x)
down(x) = x <= 0 ? 0 : 1 + ccall(deferred_codegen_in(Val(:ad), down, Int64), Int64, (Int64,), x - 1)
function choose(x)
    p = x == 1 ? deferred_codegen_in(Val(:ad), plus, Int64) : deferred_codegen(innermost, Int64)
    ccall(p, Int64, (Int64,), x)
end
)"));
  CompilerConfig middle;
  middle.nested = {named("deep", with_hooks(std::make_shared<Replace>(7777, 50)))};
  // 2 * (3 + 50) + (3 + 1)
  CHECK(call<int64_t>(*session, "outer(Int64)", plain({named("ad", middle)}), 3) == 110);
  // A choice at run time between a nested job's function and one of the job itself.
  CHECK(call<int64_t>(*session, "choose(Int64)", plain({named("ad")}), 1) == 2);
  CHECK(call<int64_t>(*session, "choose(Int64)", plain({named("ad")}), 2) == 7779);
  // Each level of recursion needs a level of configs: there are no more than eight.
  CompilerConfig level;
  for (int depth = 1; depth < 8; depth++) {
    CompilerConfig outer;
    outer.nested = {named("ad", level)};
    level = outer;
  }
  CHECK_THAT(failure(*session, "down(Int64)", plain({named("ad", level)})),
             Contains("the config of this job has no nested config `ad`") && Contains("deep.jl:7"));
  CompilerConfig more;
  more.nested = {named("ad", level)};
  CHECK_THAT(failure(*session, "down(Int64)", plain({named("ad", more)}), ErrorKind::Usage),
             Contains("nested more than 8 deep"));
}

} // namespace nested_test
