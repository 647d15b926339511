// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_target.h"

#include <catch2/catch.hpp>
#include <llvm_support/llvm_support.h>
#include <optimize/optimize.h>
#include <support/support.h>

#include <algorithm>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

const MachineSpec ptx_machine{"nvptx64-nvidia-cuda", "sm_90", "+ptx85", 2, true};
const char *header = "target triple = \"nvptx64-nvidia-cuda\"\n"
                     "target datalayout = \"e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64\"\n";

/// A loop with invariant work in it, and a constant in memory.
const char *loop = R"(
define void @k(ptr addrspace(1) %p, i32 %n, i32 %a) "kiln.entry" {
entry:
  %slot = alloca i32
  store i32 %a, ptr %slot
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %v = load i32, ptr %slot
  %w = udiv i32 1000, %v
  %u = call i32 @small(i32 %w)
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %i
  store i32 %u, ptr addrspace(1) %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
}
define internal i32 @small(i32 %x) {
  %y = mul i32 %x, 3
  ret i32 %y
}
define internal void @dead() { ret void }
declare void @unused()
)";

std::string optimized(Worker &worker, const std::string &text, int level, OptimizeOptions options = {}) {
  auto module = parse_ir(worker, header + text, "test.ll");
  INFO((module ? "" : module.error().what()));
  REQUIRE(module.ok());
  CompilerConfig config;
  config.target = PtxOptions();
  config.opt_level = level;
  REQUIRE(
      optimize(test::FakeTarget(test::FakeTarget::Like::Gpu), config, **module, worker, ptx_machine, options)
          .ok());
  REQUIRE(verify_ir(**module, "optimize").ok());
  return print_ir(**module);
}

} // namespace

TEST_CASE("each level does what it says") {
  Worker worker;
  std::string none = optimized(worker, loop, 0), some = optimized(worker, loop, 1),
              more = optimized(worker, loop, 2);
  CHECK_THAT(none, Contains("alloca") && Contains("call i32 @small"));
  CHECK_THAT(some, !Contains("alloca") && !Contains("@small") && !Contains("@dead"));
  for (const std::string &text : {some, more})
    CHECK(text.find("udiv") < text.find("phi")); // hoisted out of the loop
  optimized(worker, loop, 3);
}

TEST_CASE("a kept pipeline gives the same module again and again") {
  Worker worker;
  std::string first = optimized(worker, loop, 2);
  for (int i = 0; i < 50; ++i) {
    REQUIRE(optimized(worker, loop, 2) == first);
    optimized(worker, "define void @other(i32 %n) \"kiln.entry\" { ret void }", 1 + i % 3);
  }
}

TEST_CASE("inlining: called once or small; not what is recursive, cold or marked") {
  Worker worker;
  std::string body;
  for (int i = 0; i < 700; ++i) body += "  store volatile i32 " + std::to_string(i) + ", ptr %p\n";
  auto function = [&](const std::string &name, const std::string &attributes, const std::string &inner) {
    return "define internal void @" + name + "(ptr %p) " + attributes + " {\n" + inner + "  ret void\n}\n";
  };
  std::string text = "define void @k(ptr %p) \"kiln.entry\" {\n";
  for (const char *call :
       {"small", "small", "big_once", "big_twice", "big_twice", "recursive", "cold", "marked"})
    text += std::string("  call void @") + call + "(ptr %p)\n";
  text += "  ret void\n}\n" + function("small", "", "  store volatile i32 1, ptr %p\n") +
          function("big_once", "", body) + function("big_twice", "", body) +
          function("recursive", "", "  store volatile i32 1, ptr %p\n  call void @recursive(ptr %p)\n") +
          function("cold", "cold", "  store volatile i32 1, ptr %p\n") +
          function("marked", "noinline", "  store volatile i32 1, ptr %p\n");
  std::string result = optimized(worker, text, 1);
  for (const char *gone : {"@small(", "@big_once("}) CHECK_THAT(result, !Contains(gone));
  for (const char *kept :
       {"call void @big_twice(", "call void @recursive(", "call void @cold(", "call void @marked("})
    CHECK_THAT(result, Contains(kept));
}

TEST_CASE("passes can be watched and timed") {
  Worker worker;
  std::vector<std::string> passes;
  Timer timer;
  timer.enable();
  OptimizeOptions options;
  options.pass_timer = &timer;
  options.after_pass = [&](std::string_view pass, const llvm::Module *) { passes.emplace_back(pass); };
  CHECK(optimized(worker, loop, 2, options) == optimized(worker, loop, 2));
  CHECK(std::count(passes.begin(), passes.end(), "InstCombinePass") > 0);
  CHECK(std::count(passes.begin(), passes.end(), "LICMPass") > 0);
  auto report = timer.report();
  CHECK(std::any_of(report.rows.begin(), report.rows.end(),
                    [](const TimingRow &row) { return row.name == "InstCombinePass"; }));
}

TEST_CASE("clean-up drops what is dead, unless told not to") {
  Worker worker;
  auto module = parse_ir(worker, header + std::string(loop), "test.ll");
  REQUIRE(module.ok());
  CompilerConfig config;
  config.cleanup = false;
  REQUIRE(cleanup(config, **module, worker).ok());
  CHECK((*module)->getFunction("dead"));
  config.cleanup = true;
  REQUIRE(cleanup(config, **module, worker).ok());
  CHECK(!(*module)->getFunction("dead"));
  CHECK(!(*module)->getFunction("unused"));
  CHECK((*module)->getFunction("small"));
}
