// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_target.h"

#include <catch2/catch.hpp>
#include <codegen/codegen.h>
#include <job/job.h>
#include <llvm_support/llvm_support.h>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

/// PTX whose finished text is marked.
class MarkingTarget final : public test::FakeTarget {
public:
  MarkingTarget() : FakeTarget(FakeTarget::Like::Gpu) {}
  std::string_view name() const override { return "marking"; }
  unsigned dwarf_version() const override { return 2; }
  Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const override {
    return "// finished\n" + text;
  }
};

const char *text = R"(
define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !5 {
  %value = call i32 @helper(), !dbg !8
  store i32 %value, ptr addrspace(1) %p, !dbg !8
  ret void, !dbg !8
}
define internal i32 @helper() noinline {
  %loaded = load volatile i32, ptr addrspace(1) @secret
  ret i32 %loaded
}
@secret = internal addrspace(1) global i32 7
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !1, emissionKind: DebugDirectivesOnly)
!1 = !DIFile(filename: "a.jl", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!5 = distinct !DISubprogram(name: "k", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 4, scope: !5)
)";

std::string generate(CompilerConfig config) {
  config.target = PtxOptions();
  Worker worker;
  MarkingTarget target;
  auto module = parse_ir(worker, text, "test.ll");
  REQUIRE(module.ok());
  REQUIRE(prepare_codegen(config, **module, target).ok());
  auto result = generate_code(config, **module, target, worker, ArtifactKind::Assembly);
  INFO((result ? "" : result.error().what()));
  REQUIRE(result.ok());
  return *result;
}

} // namespace

TEST_CASE("the target has the last word on assembly") {
  CHECK_THAT(generate({}), Catch::Matchers::StartsWith("// finished"));
}

TEST_CASE("lines, no lines, no names") {
  CompilerConfig config;
  CHECK_THAT(generate(config), Contains(".loc") && Contains("helper") && Contains("secret"));
  config.debug_level = 0;
  CHECK_THAT(generate(config), !Contains(".loc") && Contains("helper"));
  config.debug_level = 1;
  config.strip = true;
  CHECK_THAT(generate(config),
             !Contains(".loc") && !Contains("helper") && !Contains("secret") && Contains(".entry k("));
}

TEST_CASE("what cannot be asked for is a usage error") {
  CompilerConfig config;
  config.target = PtxOptions();
  Worker worker;
  auto module = parse_ir(worker, text, "test.ll");
  REQUIRE(module.ok());
  auto result = generate_code(config, **module, MarkingTarget(), worker, ArtifactKind::Object);
  REQUIRE(!result.ok());
  CHECK(result.error().kind() == ErrorKind::Usage);
}
