// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include <spirv/integers.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <regex>
#include <string>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

constexpr const char *Layout = "target datalayout = \"e-i64:64-v16:16-v24:32-v32:32-n8:16:32:64-G1\"\n";

/// Parses a module and legalizes it. `text()` prints it.
struct Legalized {
  explicit Legalized(const std::string &source) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseAssemblyString(Layout + source, diagnostic, context);
    INFO(diagnostic.getMessage().str());
    REQUIRE(module);
    before = text();
    result = spirv::legalize_integers(*module);
  }

  std::string text() const {
    std::string printed;
    llvm::raw_string_ostream stream(printed);
    module->print(stream, nullptr);
    return printed;
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::string before;
  Result<void> result;
};

/// The legalized module's text. Fails if an integer of another width is in it.
std::string legal(const std::string &source) {
  const Legalized legalized(source);
  if (!legalized.result.ok()) FAIL(legalized.result.error().diagnostics().front().message);
  std::string text = legalized.text(), fault;
  llvm::raw_string_ostream stream(fault);
  INFO(text);
  REQUIRE_FALSE(llvm::verifyModule(*legalized.module, &stream));
  const std::regex width("\\bi([0-9]+)\\b");
  const std::string code = text.substr(text.find('\n', text.find("datalayout")));
  for (std::sregex_iterator at(code.begin(), code.end(), width), end; at != end; ++at) {
    const std::string bits = (*at)[1];
    CHECK((bits == "1" || bits == "8" || bits == "16" || bits == "32" || bits == "64"));
  }
  return text;
}

Diagnostic refused(const std::string &source) {
  const Legalized legalized(source);
  REQUIRE_FALSE(legalized.result.ok());
  CHECK(legalized.result.error().code() == ErrorCode::KernelError);
  return legalized.result.error().diagnostics().front();
}

} // namespace

TEST_CASE("legalize_integers leaves legal modules as they are") {
  const Legalized legalized(R"(
@table = internal constant [2 x i64] [i64 1, i64 2]
define i64 @f(i64 %x, i32 %y, ptr %p, i1 %c) {
entry:
  %wide = zext nneg i32 %y to i64
  %sum = add nuw nsw i64 %x, %wide
  br i1 %c, label %then, label %end
then:
  %at = getelementptr inbounds [2 x i64], ptr @table, i64 0, i64 %x
  %v = load i64, ptr %at, align 8, !range !0
  store i32 1, ptr %p, align 8
  br label %end
end:
  %r = phi i64 [ %sum, %entry ], [ %v, %then ]
  ret i64 %r
}
!0 = !{i64 1, i64 3}
)");
  REQUIRE(legalized.result.ok());
  CHECK(legalized.text() == legalized.before);
}

TEST_CASE("legalize_integers cleans the bits that an operation reads") {
  const std::string text = legal(R"(
define i32 @f(i32 %x, i32 %y) {
  %a = trunc i32 %x to i24
  %b = trunc i32 %y to i24
  %sum = add nuw nsw i24 %a, %b
  %half = lshr exact i24 %sum, 1
  %less = icmp samesign ult i24 %half, %b
  %chosen = select i1 %less, i24 %a, i24 %half
  %r = sext i24 %chosen to i32
  ret i32 %r
})");
  CHECK_THAT(text,
             Contains("add i32 %x, %y") && !Contains("nuw") && !Contains("exact") && !Contains("samesign"));
  CHECK_THAT(text, Contains("and i32 %sum, 16777215"));
  CHECK_THAT(text, Contains("shl i32 %chosen, 8") && Contains("ashr i32"));
}

TEST_CASE("legalize_integers splits i128") {
  const std::string text = legal(R"(
define i64 @f(i64 %x, i64 %y) {
  %a = zext i64 %x to i128
  %b = sext i64 %y to i128
  %p = mul i128 %a, %b
  %q = sdiv i128 %p, %b
  %h = lshr i128 %q, 64
  %r = trunc i128 %h to i64
  ret i64 %r
})");
  CHECK_THAT(text, Contains("call spir_func i64 @_Z6mul_himm(i64 %x, i64 %y)"));
  CHECK_THAT(text, Contains("declare spir_func i64 @_Z6mul_himm(i64, i64)"));
}

TEST_CASE("legalize_integers accesses memory in aligned pieces") {
  const char *source = R"(
define void @f(ptr addrspace(1) %p) {
  %v = load i56, ptr addrspace(1) %p, align ALIGN, !tbaa !0, !noalias !3
  store i56 %v, ptr addrspace(1) %p, align ALIGN
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2}
!2 = !{!"root"}
!3 = !{!4}
!4 = distinct !{!4, !5}
!5 = distinct !{!5})";
  auto with_align = [&](const char *align) {
    return legal(std::regex_replace(source, std::regex("ALIGN"), align));
  };
  const std::string natural = with_align("8");
  CHECK_THAT(natural, Contains("load i32, ptr addrspace(1) %p, align 8, !noalias") && !Contains("!tbaa"));
  CHECK_THAT(natural, Contains("getelementptr i8, ptr addrspace(1) %p, i64 4"));
  CHECK_THAT(natural, Contains("load i16, ptr addrspace(1) %3, align 4") && Contains("align 2"));
  CHECK_THAT(natural, Contains("store i32") && Contains("store i16") && Contains("store i8"));
  const std::string bytes = with_align("1");
  CHECK_THAT(bytes, !Contains("load i16") && !Contains("load i32") && !Contains("store i16") &&
                        !Contains("store i32"));
}

TEST_CASE("legalize_integers keeps layouts of variables") {
  const std::string text = legal(R"(
@mixed = internal addrspace(1) constant { i8, i24, ptr addrspace(1) } { i8 1, i24 -2, ptr addrspace(1) @mixed }
@pair = internal constant [2 x i128] [i128 18446744073709551616, i128 -1], align 16
@shared = internal addrspace(3) global [4 x i24] undef, align 4
@flag = internal global i1 true
define i64 @f(i64 %i, ptr %out) {
  %variable = alloca { i8, i65 }, align 8
  %field = getelementptr inbounds { i8, i65 }, ptr %variable, i64 %i, i32 1
  store i65 3, ptr %field, align 8
  %element = getelementptr [2 x i128], ptr @pair, i64 0, i64 %i
  %v = load i128, ptr %element, align 16
  %flag = load i1, ptr @flag, align 1
  %address = getelementptr { i8, i24, ptr addrspace(1) }, ptr addrspace(1) @mixed, i64 0, i32 1
  %w = load i24, ptr addrspace(1) %address, align 4
  %s = load i24, ptr addrspace(3) getelementptr ([4 x i24], ptr addrspace(3) @shared, i64 0, i64 3), align 4
  %wide = zext i24 %w to i128
  %more = zext i24 %s to i128
  %sum = add i128 %wide, %v
  %all = add i128 %sum, %more
  %r = trunc i128 %all to i64
  store i1 %flag, ptr %out
  ret i64 %r
})");
  CHECK_THAT(text, Contains("@pair = internal constant [4 x i64] [i64 0, i64 1, i64 -1, i64 -1], align 16"));
  CHECK_THAT(
      text,
      Contains(
          R"({ [8 x i8], ptr addrspace(1) } { [8 x i8] c"\01\00\00\00\FE\FF\FF\00", ptr addrspace(1) @mixed }, align 8)"));
  CHECK_THAT(text, Contains("@shared = internal addrspace(3) global [4 x i32] undef, align 4"));
  CHECK_THAT(text, Contains(R"(@flag = internal global [1 x i8] c"\01", align 1)"));
  CHECK_THAT(text, Contains("alloca [3 x i64], align 8") && Contains(" i64 %i, 24"));
}

TEST_CASE("legalize_integers keeps the size and alignment of arguments by reference") {
  const std::string text = legal(R"(
define spir_kernel void @f(ptr byval({ i128, i8 }) %x) {
  %v = load i128, ptr %x, align 8
  store i128 %v, ptr %x, align 8
  ret void
})");
  CHECK_THAT(text, Contains("ptr byval([3 x i64]) align 8 %x"));
}

TEST_CASE("legalize_integers inlines functions with other integers in their signatures") {
  const std::string text = legal(R"(
define internal [1 x i128] @inner(i24 %x) {
  %w = zext i24 %x to i128
  %a = insertvalue [1 x i128] poison, i128 %w, 0
  ret [1 x i128] %a
}
define internal i24 @outer({ i24, i1 } %s) noinline {
  %x = extractvalue { i24, i1 } %s, 0
  %a = call [1 x i128] @inner(i24 %x)
  %w = extractvalue [1 x i128] %a, 0
  %r = trunc i128 %w to i24
  ret i24 %r
}
define i32 @f(i32 %x) {
  %t = trunc i32 %x to i24
  %s = insertvalue { i24, i1 } zeroinitializer, i24 %t, 0
  %r = call i24 @outer({ i24, i1 } %s)
  %w = zext i24 %r to i32
  ret i32 %w
})");
  CHECK_THAT(text, !Contains("@inner") && !Contains("@outer"));
}

TEST_CASE("legalize_integers replaces operations that SPIR-V's back-end lacks at legal widths") {
  const std::string text = legal(R"(
declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)
declare { <2 x i32>, <2 x i1> } @llvm.umul.with.overflow.v2i32(<2 x i32>, <2 x i32>)
declare { i1, i1 } @llvm.sadd.with.overflow.i1(i1, i1)
define { i64, i1 } @f(i64 %x, i64 %y) {
  %r = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %x, i64 %y)
  ret { i64, i1 } %r
}
define <2 x i1> @g(<2 x i32> %x) {
  %r = call { <2 x i32>, <2 x i1> } @llvm.umul.with.overflow.v2i32(<2 x i32> %x, <2 x i32> %x)
  %o = extractvalue { <2 x i32>, <2 x i1> } %r, 1
  ret <2 x i1> %o
}
define i1 @h(i1 %x, i1 %y) {
  %r = call { i1, i1 } @llvm.sadd.with.overflow.i1(i1 %x, i1 %y)
  %o = extractvalue { i1, i1 } %r, 1
  %less = icmp slt i1 %x, %o
  ret i1 %less
}
define i64 @reversed(i64 %x) {
  %r = call i64 @llvm.bitreverse.i64(i64 %x)
  ret i64 %r
}
define i8 @k(i1 %x) {
  switch i1 %x, label %never [ i1 true, label %yes i1 false, label %no ]
never:
  ret i8 3
yes:
  ret i8 1
no:
  ret i8 2
})");
  CHECK_THAT(text, !Contains("with.overflow") && Contains("@_Z6mul_hill(i64 %x, i64 %y)"));
  CHECK_THAT(text, !Contains("bitreverse") && Contains("bswap"));
  CHECK_THAT(text, !Contains("slt i1") && !Contains("add i1"));
  CHECK_THAT(text, Contains("switch i8") && Contains("i8 1, label %yes"));
}

TEST_CASE("legalize_integers rewrites constant expressions") {
  const std::string text = legal(R"(
@g = internal global i64 0
define i64 @f(i1 %c) {
entry:
  br i1 %c, label %then, label %end
then:
  br label %end
end:
  %p = phi i24 [ trunc (i64 ptrtoint (ptr @g to i64) to i24), %entry ], [ poison, %then ]
  %q = select i1 %c, i128 ptrtoint (ptr @g to i128), i128 undef
  %w = zext i24 %p to i128
  %s = add i128 %w, %q
  %r = trunc i128 %s to i64
  ret i64 %r
})");
  CHECK_THAT(text, Contains("ptrtoint"));
}

TEST_CASE("legalize_integers keeps debug locations and drops debug values of other widths") {
  const std::string text = legal(R"(
define i32 @f(i32 %x) !dbg !4 {
  %a = trunc i32 %x to i24, !dbg !7
    #dbg_value(i24 %a, !8, !DIExpression(), !7)
  %s = lshr i24 %a, 3, !dbg !7
  %r = zext i24 %s to i32, !dbg !7
  ret i32 %r, !dbg !7
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.jl", directory: "")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !1)
!7 = !DILocation(line: 3, column: 1, scope: !4)
!8 = !DILocalVariable(name: "a", scope: !4, file: !2, line: 2)
)");
  CHECK_THAT(text, Contains("lshr i32") && !Contains("#dbg_value"));
  const std::string body = text.substr(text.find("define"), text.find('}') - text.find("define"));
  for (size_t at = body.find("  %"); at != body.npos; at = body.find("  %", at + 1))
    CHECK_THAT(body.substr(at, body.find('\n', at) - at), Contains("!dbg"));
}

TEST_CASE("legalize_integers names code that it cannot rewrite") {
  const std::string location = R"(, !dbg !7
  ret void
}
!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !2, emissionKind: FullDebug)
!2 = !DIFile(filename: "a.jl", directory: "")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !3, spFlags: DISPFlagDefinition, unit: !1)
!7 = !DILocation(line: 3, column: 1, scope: !4)
)";
  auto message = [&](const std::string &instruction) {
    const Diagnostic diagnostic =
        refused("define void @f(ptr %p, i64 %x, double %d) !dbg !4 {\n" + instruction + location);
    CHECK_FALSE(diagnostic.hint.empty());
    REQUIRE(diagnostic.stack.size() == 1);
    CHECK(diagnostic.stack[0].line == 3);
    return diagnostic.message;
  };
  CHECK(
      message("%v = load atomic i128, ptr %p seq_cst, align 16") ==
      "unsupported integer width on spirv: an atomic access to an integer of 128 bits (`load` in function f, a.jl:3)");
  CHECK_THAT(message("store atomic i128 1, ptr %p seq_cst, align 16"), Contains("`store`"));
  CHECK_THAT(message("%v = atomicrmw add ptr %p, i128 1 seq_cst, align 16"), Contains("`atomicrmw`"));
  CHECK_THAT(message("%v = cmpxchg ptr %p, i128 1, i128 2 seq_cst seq_cst, align 16"), Contains("`cmpxchg`"));
  CHECK_THAT(message("%v = zext i64 %x to i129"), Contains("an integer of 129 bits, the maximum is 128"));
  CHECK_THAT(message("%v = load <2 x i24>, ptr %p, align 8"), Contains("a vector of integers of 24 bits"));
  CHECK_THAT(message("%v = fptoui fp128 0xL00000000000000000000000000000000 to i128"), Contains("`fptoui`"));
  CHECK_THAT(message("%v = bitcast fp128 0xL00000000000000000000000000000000 to i128"),
             Contains("`bitcast`"));
  CHECK_THAT(message("%v = call i24 asm \"\", \"=r\"()"), Contains("`call`"));
  CHECK_THAT(message("%v = call i24 %p(i64 %x)"), Contains("`call`"));
  CHECK_THAT(message("%v = call i128 @llvm.smul.fix.i128(i128 1, i128 2, i32 3)"),
             Contains("`call of llvm.smul.fix.i128`"));
}

TEST_CASE("legalize_integers names functions that it cannot inline") {
  auto message = [](const std::string &source) { return refused(source).message; };
  CHECK_THAT(message("define spir_kernel void @k(i128 %x) {\n  ret void\n}"),
             Contains("an exported function") && Contains("function k"));
  CHECK_THAT(message(R"(
define internal i24 @even(i24 %x) {
  %r = call i24 @odd(i24 %x)
  ret i24 %r
}
define internal i24 @odd(i24 %x) {
  %r = call i24 @even(i24 %x)
  ret i24 %r
}
define void @k() {
  %r = call i24 @odd(i24 3)
  ret void
})"),
             Contains("recursive") && Contains("function even"));
  CHECK_THAT(message(R"(
define internal void @f(i24 %x) {
  ret void
}
define void @k(ptr %p) {
  store ptr @f, ptr %p
  ret void
})"),
             Contains("address") && Contains("function f"));
  CHECK_THAT(message(R"(
declare i24 @host(i64)
define void @k() {
  %r = call i24 @host(i64 3)
  ret void
})"),
             Contains("call of host") && Contains("function k"));
  CHECK_THAT(message("@v = global i128 ptrtoint (ptr @v to i128)"), Contains("variable v"));
}
