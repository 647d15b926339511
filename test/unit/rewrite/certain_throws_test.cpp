// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that always fail, in IR as emission leaves it: `check` is the library's, in line at two places of
// the user's `kernel`.
#include <catch2/catch.hpp>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

using namespace kiln;

namespace {

const char *rest = R"(
declare void @kiln.throw(i32, ptr, ptr) noreturn
@bounds = constant [12 x i8] c"BoundsError\00"
@other = constant [12 x i8] c"DivideError\00"
attributes #0 = { "kiln.entry" "kiln.kernel" }
attributes #1 = { "kiln.entry" }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "a.jl", directory: "")
!3 = !DISubroutineType(types: !{null})
!4 = !DIFile(filename: "abstractarray.jl", directory: "kiln")
!10 = distinct !DISubprogram(name: "kernel", file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DISubprogram(name: "check", file: !4, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 2, column: 5, scope: !10)
!21 = distinct !DILocation(line: 3, column: 5, scope: !10)
!22 = !DILocation(line: 11, column: 3, scope: !11, inlinedAt: !21)
!23 = distinct !DILocation(line: 4, column: 5, scope: !10)
!24 = !DILocation(line: 11, column: 3, scope: !11, inlinedAt: !23)
)";

std::vector<std::string> found(const std::string &body, const std::string &attributes = "#0") {
  Worker worker;
  auto module = parse_ir(worker,
                         "define void @kernel(i64 %n, i64 %i, i1 %c) " + attributes + " !dbg !10 {\n" + body +
                             "}\n" + rest,
                         "test.ll");
  INFO((module ? "" : module.error().what()));
  REQUIRE(module.ok());
  std::vector<std::string> places;
  for (const Fault &fault : find_certain_throws(**module))
    places.push_back(fmt::format("{}:{} {}", fault.stack.back().line, fault.stack.back().column,
                                 fault.reason.substr(0, 10)));
  return places;
}
using Places = std::vector<std::string>;

const std::string thrown =
    "bad:\n call void @kiln.throw(i32 2, ptr @bounds, ptr null), !dbg !22\n unreachable, !dbg !22\n";
const std::string good = "good:\n ret void, !dbg !20\n";

std::string checked(const std::string &condition) {
  return condition + " br i1 %ok, label %good, label %bad, !dbg !22\n" + thrown + good;
}

} // namespace

TEST_CASE("certain throws: a condition that is false whatever its operands are") {
  const char *always[] = {
      " %ok = icmp ult i64 -1, %n, !dbg !22\n", // x[0]
      " %ok = icmp ult i64 -4, %n, !dbg !22\n", // x[-3]
      " %e = add i64 %n, 1, !dbg !20\n %k = sub i64 %e, 1, !dbg !22\n %ok = icmp ult i64 %k, %n, !dbg !22\n", // x[end + 1]
      " %a = icmp ult i64 %i, %n, !dbg !22\n %b = icmp ult i64 -1, %n, !dbg !22\n %ok = and i1 %a, %b, !dbg !22\n", // x[i, 0]
      " %b = icmp ult i64 -1, %n, !dbg !22\n %no = xor i1 %b, true, !dbg !22\n %ok = xor i1 %no, true, !dbg !22\n", // !(!(...))
  };
  for (const char *condition : always) {
    CAPTURE(condition);
    CHECK(found(checked(condition)) == Places{"3:5 this index"});
  }
  const char *depends[] = {
      " %ok = icmp ult i64 %i, %n, !dbg !22\n",
      " %ok = icmp ult i64 0, %n, !dbg !22\n", // x[1] of an array that may be empty
      " %k = add i64 %n, -1, !dbg !22\n %ok = icmp ult i64 %k, %n, !dbg !22\n", // x[end]
      " %ok = icmp slt i64 -1, %n, !dbg !22\n",
      " %a = icmp ult i64 %i, %n, !dbg !22\n %b = icmp ult i64 -1, %n, !dbg !22\n %ok = or i1 %a, %b, !dbg !22\n",
  };
  for (const char *condition : depends) {
    CAPTURE(condition);
    CHECK(found(checked(condition)).empty());
  }
}

TEST_CASE("certain throws: a check that inference decided stands behind no branch of its own") {
  CHECK(found(" br i1 %c, label %good, label %bad, !dbg !20\n" + thrown + good) ==
        Places{"3:5 this index"}); // the user's branch
  CHECK(found(" br i1 %c, label %good, label %bad, !dbg !24\n" + thrown + good) ==
        Places{"3:5 this index"}); // another check's
  CHECK(found(" call void @kiln.throw(i32 2, ptr @bounds, ptr null), !dbg !22\n unreachable, !dbg !22\n") ==
        Places{"3:5 this index"});
  CHECK(
      found(
          " br i1 %c, label %l, label %r, !dbg !20\nl:\n br label %bad, !dbg !20\nr:\n br label %bad, !dbg !20\n" +
          thrown) == Places{"3:5 this index"});
  // Two ways of the check's own: it depends.
  CHECK(
      found(
          " br i1 %c, label %l, label %r, !dbg !22\nl:\n br label %bad, !dbg !22\nr:\n br i1 %c, label %bad, label %good, !dbg !22\n" +
          thrown + good)
          .empty());
}

TEST_CASE(
    "certain throws: exceptions of the user's own are no failing checks; a kernel that does nothing else is told") {
  const std::string own =
      " call void @kiln.throw(i32 3, ptr @other, ptr null), !dbg !20\n unreachable, !dbg !20\n";
  CHECK(found(own) == Places{"2:5 the kernel"});
  CHECK(found(" br label %on, !dbg !20\non:\n" + own) == Places{"2:5 the kernel"});
  CHECK(found(own, "#1").empty()); // a plain function may be there to throw
  CHECK(found(" br i1 %c, label %good, label %bad, !dbg !20\nbad:\n" + own + good).empty());
  CHECK(found(" ret void, !dbg !20\n").empty());
}
