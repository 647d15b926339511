// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_target.h"

#include <catch2/catch.hpp>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

/// Knows one function and all of LLVM's intrinsics but one.
class TestTarget final : public test::FakeTarget {
public:
  TestTarget() : FakeTarget(FakeTarget::Like::Cpu) {}
  std::string_view name() const override { return "test"; }
  bool is_intrinsic(std::string_view function) const override {
    return function == "known" || (function.starts_with("llvm.") && !function.starts_with("llvm.pow"));
  }
};

std::vector<Fault> faults(const std::string &text) {
  Worker worker;
  auto module = parse_ir(worker, text, "test.ll");
  INFO((module ? "" : module.error().what()));
  REQUIRE(module.ok());
  return find_faults({}, **module, TestTarget());
}

std::vector<std::string> reasons(const std::string &text) {
  std::vector<std::string> result;
  for (const Fault &fault : faults(text)) result.push_back(fault.reason);
  return result;
}

using Reasons = std::vector<std::string>;

const char *debug_info = R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.jl", directory: "")
!3 = !DISubroutineType(types: !{null})
!10 = distinct !DISubprogram(name: "kernel", file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "middle", file: !2, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!12 = distinct !DISubprogram(name: "inner", file: !2, line: 20, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 2, column: 5, scope: !10)
!21 = !DILocation(line: 11, column: 3, scope: !11)
!22 = !DILocation(line: 21, column: 7, scope: !12, inlinedAt: !21)
!23 = !DILocation(line: 3, column: 5, scope: !10)
)";

} // namespace

TEST_CASE("calls that a target knows are no faults") {
  CHECK(reasons(R"(
define void @k() "kiln.entry" {
  call void @known()
  call void @other()
  call void asm "nop", ""()
  %x = call i32 @llvm.ctpop.i32(i32 3)
  ret void
}
define internal void @other() { ret void }
declare void @known()
declare i32 @llvm.ctpop.i32(i32)
)")
            .empty());
}

TEST_CASE("each kind of fault has its own text, in program order") {
  CHECK(reasons(R"(
define void @k(ptr %f) "kiln.entry" {
  call void @mystery()
  call void inttoptr (i64 4096 to ptr)()
  %p = call double @llvm.pow.f64(double 1.0, double 2.0)
  %v = load i32, ptr @variable
  call void @kiln.barrier()
  call void @kiln.static_error(ptr @message)
  call void @kiln.static_error(ptr @dynamic)
  call void %f()
  ret void
}
@variable = external global i32
@message = private constant [9 x i8] c"N < 1024\00"
@dynamic = private constant [49 x i8] c"unsupported dynamic function invocation (call f)\00"
declare void @mystery()
declare void @kiln.barrier()
declare void @kiln.static_error(ptr)
declare double @llvm.pow.f64(double, double)
)") == Reasons{"unsupported call to an unknown function (call to mystery)",
               "unsupported call through a literal pointer",
               "unsupported LLVM intrinsic on test (call to llvm.pow.f64)",
               "unsupported use of an undefined name (use of 'variable')",
               "unsupported intrinsic on test (call to kiln.barrier)", "static assertion failed (N < 1024)",
               "unsupported dynamic function invocation (call f)"});
}

TEST_CASE("what the entry does not reach is not reported; order follows the calls, not the module") {
  CHECK(reasons(R"(
define internal void @dead() { 
  call void @never()
  ret void
}
define internal void @second() {
  call void @b()
  ret void
}
define internal void @first() {
  call void @a()
  ret void
}
define void @k() "kiln.entry" {
  call void @first()
  call void @second()
  ret void
}
declare void @never()
declare void @a()
declare void @b()
)") == Reasons{"unsupported call to an unknown function (call to a)",
               "unsupported call to an unknown function (call to b)"});
}

TEST_CASE("the source stack goes through inlined frames and the only call site") {
  auto found = faults(std::string(R"(
define void @kernel() "kiln.entry" !dbg !10 {
  call void @middle(), !dbg !20
  ret void
}
define internal void @middle() !dbg !11 {
  call void @missing(), !dbg !22
  call void @missing(), !dbg !22
  ret void
}
declare void @missing()
)") + debug_info);
  REQUIRE(found.size() == 1); // the same call at the same place once
  CHECK(found[0].stack == std::vector<FaultFrame>{
                              {"inner", "a.jl", 21, 7}, {"middle", "a.jl", 11, 3}, {"kernel", "a.jl", 2, 5}});
}

TEST_CASE("several call sites end the stack") {
  auto found = faults(std::string(R"(
define void @kernel() "kiln.entry" !dbg !10 {
  call void @middle(), !dbg !20
  call void @middle(), !dbg !23
  ret void
}
define internal void @middle() !dbg !11 {
  call void @missing(), !dbg !21
  ret void
}
declare void @missing()
)") + debug_info);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].stack.size() == 2);
  CHECK(found[0].stack[0].function == "middle");
  CHECK(found[0].stack[1].function == "multiple call sites");
}

TEST_CASE("recursion does not hang the search") {
  CHECK(reasons(R"(
define void @k() "kiln.entry" {
  call void @f()
  ret void
}
define internal void @f() {
  call void @g()
  ret void
}
define internal void @g() {
  call void @f()
  call void @missing()
  ret void
}
declare void @missing()
)")
            .size() == 1);
}

TEST_CASE("faults become diagnostics with places in the source") {
  SourceMap sources;
  auto file = sources.add("a.jl", "one\ntwo\nαβ call()\n");
  Error error =
      faults_to_error({{"unsupported thing", {{"f", "a.jl", 3, 4}, {"k", "other.jl", 1, 1}}}}, &sources);
  CHECK(error.kind() == ErrorKind::Input);
  REQUIRE(error.diagnostics().size() == 1);
  const Diagnostic &diagnostic = error.diagnostics()[0];
  CHECK(diagnostic.name() == "InvalidIRError");
  REQUIRE(diagnostic.stack.size() == 2);
  REQUIRE(diagnostic.at);
  CHECK(diagnostic.at.file->text().substr(diagnostic.at.begin, 4) == "call");
  CHECK(!diagnostic.stack[1].at);
}
