// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose body is LLVM IR, and observers of products. Expected values are computed here; lines are
// counted by hand.
#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <numeric>

namespace ir_function_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

std::unique_ptr<Session> open(const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  return must(Session::open(options));
}

const std::vector<std::string> one_array{"CuDeviceVector{Float32,1}"};

/// y[i] = body of %x, for each thread of one block.
std::string per_element(const std::string &body, const std::string &declarations = {}) {
  return declarations +
         "declare i32 @kiln.thread_idx.x()\n"
         "define void @each(ptr %y, i64 %bytes, i64 %dim, i64 %n) {\n"
         "  %t = call i32 @kiln.thread_idx.x()\n"
         "  %at = getelementptr float, ptr %y, i32 %t\n"
         "  %x = load float, ptr %at\n" +
         body + "  store float %r, ptr %at\n  ret void\n}\n";
}

std::vector<float> run(Session &session, const std::string &function, unsigned threads = 4) {
  std::vector<float> y(threads);
  std::iota(y.begin(), y.end(), 1.0f);
  must(session.launch(function, {.blocks = {1, 1, 1}, .threads = {threads, 1, 1}},
                      {Argument::array(y.data(), {int64_t(threads)})}));
  return y;
}

/// What is said of IR that is refused when it is defined.
Diagnostic refused(const std::string &ir, std::vector<std::string> arguments = {"Float32"}) {
  auto session = open();
  Result<void> done = session->define_ir({.name = "f", .arguments = std::move(arguments), .ir = ir});
  REQUIRE(!done.ok());
  return done.error().diagnostics()[0];
}

/// The same of IR that a job refuses.
Diagnostic refused_by_job(const std::string &ir, const CompilerConfig &config = {}) {
  auto session = open();
  must(session->define_ir({.name = "f", .arguments = {"Float32"}, .ir = ir}));
  auto done = session->compile("f(Float32)", config, ArtifactKind::Assembly);
  REQUIRE(!done.ok());
  return done.error().diagnostics()[0];
}

} // namespace

TEST_CASE("a kernel that is IR runs, is redefined, and is called from the language") {
  auto session = open();
  must(session->define_ir(
      {.name = "each", .arguments = one_array, .ir = per_element("  %r = fmul float %x, 3.0\n")}));
  CHECK(run(*session, "each") == std::vector<float>{3, 6, 9, 12});
  must(session->define_ir(
      {.name = "each", .arguments = one_array, .ir = per_element("  %r = fadd float %x, 0.5\n")}));
  CHECK(run(*session, "each") == std::vector<float>{1.5, 2.5, 3.5, 4.5});

  must(session->define_ir(
      {.name = "triple",
       .arguments = {"Float32"},
       .returns = "Float32",
       .ir = "define float @body(float %x) {\n  %y = fmul float %x, 3.0\n  ret float %y\n}\n",
       .symbol = "body"}));
  must(session->load(
      "calls.jl",
      "function calls(y)\n  i = threadIdx().x\n  @inbounds y[i] = triple(y[i]) + 1f0\n  return\nend\n"));
  CHECK(run(*session, "calls") == std::vector<float>{4, 7, 10, 13});
}

TEST_CASE("IR calls functions of the language, and sees their redefinitions") {
  auto session = open();
  must(session->load("square.jl", "square(x) = x * x\n"));
  must(session->define_ir({.name = "each",
                           .arguments = one_array,
                           .ir = per_element("  %r = call float @\"kiln.call:square(Float32)\"(float %x)\n",
                                             "declare float @\"kiln.call:square(Float32)\"(float)\n")}));
  CHECK(run(*session, "each") == std::vector<float>{1, 4, 9, 16});
  must(session->load("square.jl", "square(x) = x * x * x\n"));
  CHECK(run(*session, "each") == std::vector<float>{1, 8, 27, 64});
}

TEST_CASE("structs and several results travel part by part") {
  auto session = open();
  must(session->load("pair.jl", "struct Pair2\n  a::Float32\n  b::Int32\nend\n"));
  // (a, b) -> (a + 1, b * 2)
  must(session->define_ir({.name = "step",
                           .arguments = {"Pair2"},
                           .returns = "Tuple{Float32,Int32}",
                           .ir =
                               "define {float, i32} @step(float %a, i32 %b) {\n"
                               "  %c = fadd float %a, 1.0\n  %d = mul i32 %b, 2\n"
                               "  %r = insertvalue {float, i32} poison, float %c, 0\n"
                               "  %s = insertvalue {float, i32} %r, i32 %d, 1\n  ret {float, i32} %s\n}\n"}));
  must(session->load(
      "use.jl",
      "function use(y)\n  r = step(Pair2(y[1], Int32(21)))\n  @inbounds y[1] = r[1]\n  @inbounds y[2] = Float32(r[2])\n  return\nend\n"));
  std::vector<float> y{5, 0};
  must(session->launch("use", {.blocks = {1, 1, 1}, .threads = {1, 1, 1}}, {Argument::array(y.data(), {2})}));
  CHECK(y == std::vector<float>{6, 42});
}

TEST_CASE("the bytes of IR are part of the key, and the folder answers a second session") {
  kiln::test::Scratch scratch;
  const std::string folder = (scratch.path / "cache").string();
  const std::string three = per_element("  %r = fmul float %x, 3.0\n"),
                    four = per_element("  %r = fmul float %x, 4.0\n");
  auto fresh = [&](const std::string &ir) {
    auto session = open(folder);
    must(session->define_ir({.name = "each", .arguments = one_array, .ir = ir}));
    const std::vector<float> y = run(*session, "each", 1);
    session->flush_cache();
    return std::pair{y[0], session->counters().disk_hits};
  };
  CHECK(fresh(three) == std::pair{3.0f, uint64_t(0)});
  CHECK(fresh(three) == std::pair{3.0f, uint64_t(1)});
  CHECK(fresh(four) == std::pair{4.0f, uint64_t(0)});
}

TEST_CASE("IR that is refused, with its line") {
  Diagnostic said = refused("define void @f(float %x) {\n  %y = fadd float %x, %z\n  ret void\n}\n");
  CHECK(said.at.line() == 2);
  CHECK(std::string(said.at.file_name()) == "f.ll");
  CHECK_THAT(said.message, Contains("undefined value"));
  CHECK(
      refused(
          "define void @f(float %x) {\n\n  %y = fadd float %z, %x\n  %z = fadd float %x, %x\n  ret void\n}\n")
          .at.line() == 3);
  CHECK(refused("declare i32 @kiln.nowhere()\ndefine void @f(float %x) {\n  ret void\n}\n").at.line() == 1);
  CHECK(refused("\ndeclare float @llvm.twice.f32(float)\ndefine void @f(float %x) {\n  ret void\n}\n")
            .at.line() == 2);
  CHECK_THAT(refused("define void @g(float %x) {\n  ret void\n}\n").message,
             Contains("defines no function 'f'"));
  CHECK_THAT(refused("define void @f(float %x) {\n  ret void\n}\n", {"NoSuchType"}).message,
             Contains("NoSuchType"));
  CHECK_THAT(refused("module asm \"nop\"\ndefine void @f(float %x) {\n  ret void\n}\n").message,
             Contains("assembly"));
  CHECK_THAT(refused("BC\xC0\xDE that is all").message, Contains("f.bc"));

  CHECK(
      refused_by_job("\n\ntarget triple = \"riscv64-linux-gnu\"\ndefine void @f(float %x) {\n  ret void\n}\n")
          .at.line() == 3);
  CHECK(refused_by_job("define void @f(double %x) {\n  ret void\n}\n").at.line() == 1);
  const Diagnostic foreign = refused_by_job(
      "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine void @f(float %x) {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}\n");
  CHECK(foreign.at.line() == 1);
  CHECK_THAT(foreign.message, Contains("native target"));
}

TEST_CASE("IR within an embedder's file: faults have that file's lines") {
  auto fault = [](const std::string &ir) {
    auto session = open();
    Result<void> done = session->define_ir(
        {.name = "f", .arguments = {"Float32"}, .ir = ir, .file = "program.lang", .line = 41});
    if (!done.ok()) return done.take_error();
    auto made = session->compile("f(Float32)", {.kernel = false}, ArtifactKind::Object);
    REQUIRE(!made.ok());
    return made.take_error();
  };
  const Error syntax = fault("define void @f(float %x) {\n  %y = fadd float %x, %z\n  ret void\n}\n");
  CHECK(syntax.diagnostics()[0].at.line() == 42);
  CHECK_THAT(syntax.what(),
             Contains("program.lang:42:") && Contains("%y = fadd float %x, %z\n") && Contains("^"));
  const Error broken = fault(
      "define void @f(float %x) {\n\n  %y = fadd float %z, %x\n  %z = fadd float %x, %x\n  ret void\n}\n");
  CHECK(broken.code() == ErrorCode::BrokenIR);
  CHECK(broken.diagnostics()[0].at.line() == 43);
  const Error intrinsic =
      fault("; @kiln.nowhere\ndeclare i32 @kiln.nowhere.else()\ndeclare i32 @kiln.nowhere()\n"
            "define void @f(float %x) {\n  ret void\n}\n");
  CHECK(intrinsic.code() == ErrorCode::UnknownIntrinsic);
  CHECK(intrinsic.diagnostics()[0].at.line() == 42); // both are unknown: the first in the module
  const Error symbol = fault("declare void @helper(float)\ndefine void @f(float %x) {\n"
                             "  call void @helper_2(float %x)\n  call void @helper(float %x)\n  ret void\n}\n"
                             "define void @helper_2(float %x) {\n  ret void\n}\n");
  CHECK(symbol.code() == ErrorCode::InvalidIRError);
  CHECK(symbol.diagnostics()[0].subject == "helper");
  CHECK(symbol.diagnostics()[0].at.line() == 44);
  CHECK(symbol.diagnostics()[0].at.column() == 13);
  CHECK_THAT(symbol.what(), Contains("program.lang:44:13") && Contains("call void @helper(float %x)"));
}

TEST_CASE("an observer sees the products that it asked for, until its handle goes") {
  auto session = open();
  must(session->load("f.jl", "function f(y)\n  @inbounds y[1] = 1f0\n  return\nend\n"));
  std::vector<std::pair<ArtifactKind, std::string>> seen;
  const ArtifactKind kinds[] = {ArtifactKind::LlvmOpt, ArtifactKind::Assembly};
  auto observe = [&] {
    return session->observe(
        [&](const ObservedProduct &product) {
          CHECK(product.function == "f");
          CHECK_THAT(std::string(product.signature), Contains("Float32"));
          seen.emplace_back(product.kind, std::string(product.bytes));
        },
        kinds);
  };
  CompilerConfig ptx{.target = PtxOptions{.sm = 80}};
  {
    Observation observation = observe();
    must(session->compile("f(CuDeviceVector{Float32,1})", ptx, ArtifactKind::Assembly));
  }
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].first == ArtifactKind::LlvmOpt);
  CHECK_THAT(seen[0].second, Contains("define"));
  CHECK(seen[1].first == ArtifactKind::Assembly);
  CHECK_THAT(seen[1].second, Contains(".visible .entry"));
  ptx.opt_level = 3;
  must(session->compile("f(CuDeviceVector{Float32,1})", ptx, ArtifactKind::Assembly));
  CHECK(seen.size() == 2);
  Observation outlives = observe();
  session.reset();
}

} // namespace ir_function_test
