// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_target.h"

#include <catch2/catch.hpp>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

Result<std::string> rewritten(const std::string &text, CompilerConfig config) {
  Worker worker;
  KILN_TRY(auto module, parse_ir(worker, text, "test.ll"));
  test::FakeTarget target(config.target.is<PtxOptions>() ? test::FakeTarget::Like::Gpu
                                                         : test::FakeTarget::Like::Cpu);
  for (RewritePhase phase : {RewritePhase::Emitted, RewritePhase::Linked})
    KILN_CHECK(run_rewrites(phase, target, config, *module, nullptr));
  KILN_CHECK(verify_ir(*module, "rewrites"));
  return print_ir(*module);
}

std::string rewrite(const std::string &text, CompilerConfig config) {
  Result<std::string> result = rewritten(text, config);
  INFO((result ? "" : result.error().what()));
  REQUIRE(result.ok());
  return *result;
}

CompilerConfig config_for(TargetSpec kind) {
  CompilerConfig config;
  config.target = kind;
  return config;
}

} // namespace

TEST_CASE("the debug level becomes a constant") {
  CompilerConfig config = config_for(PtxOptions());
  config.kernel = false;
  config.debug_level = 2;
  CHECK_THAT(rewrite(R"(
define i32 @f() "kiln.entry" {
  %l = call i32 @kiln.debug_level()
  ret i32 %l
}
declare i32 @kiln.debug_level()
)",
                     config),
             Contains("ret i32 2"));
}

TEST_CASE("all but the entry becomes internal; always_inline spares recursion and cold functions") {
  const std::string text = R"(
@g = global i32 1
define void @f() "kiln.entry" {
  call void @a()
  call void @r()
  call void @c()
  ret void
}
define void @a() noinline { ret void }
define void @r() {
  call void @s()
  ret void
}
define void @s() {
  call void @r()
  ret void
}
define void @c() cold noinline { ret void }
)";
  CompilerConfig config = config_for(PtxOptions());
  config.kernel = false;
  std::string plain = rewrite(text, config);
  CHECK_THAT(plain, Contains("define void @f()") && Contains("define internal void @a()") &&
                        Contains("@g = internal global") && !Contains("alwaysinline"));
  config.always_inline = true;
  std::string inlined = rewrite(text, config);
  CHECK_THAT(inlined,
             Contains("attributes #1 = { alwaysinline }") && Contains("define internal void @a() #1") &&
                 Contains("define internal void @r() {") && Contains("define internal void @c() #2"));
}

TEST_CASE("native functions take state and thread index, the entry of a plain function the state alone") {
  CompilerConfig config = config_for(NativeOptions());
  config.kernel = false;
  std::string text = rewrite(R"(
define i32 @f(i32 %a) "kiln.entry" {
  %r = call i32 @g(i32 %a)
  ret i32 %r
}
define i32 @g(i32 %a) {
  %y = call i32 @kiln.thread_idx.y()
  %b = call i32 @kiln.block_idx.z()
  %s = add i32 %y, %b
  ret i32 %s
}
declare i32 @kiln.thread_idx.y()
declare i32 @kiln.block_idx.z()
)",
                             config);
  CHECK_THAT(text, Contains("i32 @f(ptr noundef nonnull align 8 dereferenceable(112) %state, i32 %a)"));
  CHECK_THAT(text, Contains("%state, i32 %thread.x, i32 %thread.y, i32 %thread.z, i32 %a)"));
  CHECK_THAT(text, Contains("%s = add i32 %thread.y, %block_idx.z") && Contains("i64 20") &&
                       Contains("!invariant.load"));
}

TEST_CASE("a function that needs the state cannot be a pointer") {
  CompilerConfig config = config_for(PtxOptions());
  Result<std::string> result = rewritten(R"(
define void @k(ptr %p) "kiln.entry" "kiln.kernel" {
  store ptr @f, ptr %p
  ret void
}
define void @f() {
  %s = call ptr @kiln.state()
  store i8 0, ptr %s
  ret void
}
declare ptr @kiln.state()
)",
                                         config);
  REQUIRE(!result.ok());
  CHECK(result.error().kind() == ErrorKind::Input);
  CHECK_THAT(result.error().what(), Contains("`f` needs the kernel state"));
}

TEST_CASE("packed entries") {
  const std::string text = R"(
define i64 @f(i8 %a, { i64, i32 } %b) "kiln.entry" {
  %x = extractvalue { i64, i32 } %b, 0
  ret i64 %x
}
)";
  CompilerConfig config = config_for(PtxOptions());
  config.kernel = false;
  config.entry_abi = EntryAbi::Packed;
  std::string ptx = rewrite(text, config);
  CHECK_THAT(ptx, Contains("define void @f(ptr %args, ptr %ret)") &&
                      Contains("define internal i64 @f.body(") && Contains("store i64"));
  config.target.edit<NativeOptions>();
  CHECK_THAT(rewrite(text, config), Contains("define void @f(ptr %state, ptr %args, ptr %ret)"));
}

TEST_CASE("fast math reaches every operation") {
  const std::string text = R"(
define float @f(float %a) "kiln.entry" {
  %b = fmul float %a, %a
  %c = fdiv contract float %b, %a
  ret float %c
}
)";
  CompilerConfig config = config_for(PtxOptions());
  config.kernel = false;
  CHECK_THAT(rewrite(text, config), !Contains("fast"));
  config.target.fast_math = true;
  CHECK_THAT(rewrite(text, config),
             Contains("fmul fast") && Contains("fdiv fast") && Contains("preserve-sign"));
  config.target.edit<NativeOptions>();
  CHECK_THAT(rewrite(text, config), Contains("fmul fast") && !Contains("preserve-sign"));
}

TEST_CASE("a module without an entry is Kiln's own fault") {
  Result<std::string> result = rewritten("define void @f() { ret void }", config_for(PtxOptions()));
  REQUIRE(!result.ok());
  CHECK(result.error().kind() == ErrorKind::Internal);
}
