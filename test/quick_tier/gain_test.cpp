// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which texts the quick tier is for, by texts of its own.
#include <catch2/catch.hpp>

#include <kiln/extension/llvm/target.h>
#include <ptx/ptx.h>

#include <string>

using namespace kiln;

namespace {

/// Whether the toolkit's assembler, the test's, would begin with fast code.
bool gains(const std::string &text, CompilerConfig config = {}) {
  ::setenv("KILN_CUDA_HOME", KILN_FAKE_TOOLKIT, 1);
  auto assembler = ptx_target().make_assembler();
  ::unsetenv("KILN_CUDA_HOME");
  if (!assembler.ok()) FAIL(assembler.error().what());
  REQUIRE((*assembler)->quick() != nullptr);
  CHECK((*assembler)->quick()->identity() != (*assembler)->identity());
  return (*assembler)->gains_from_quick(config, text);
}

std::string loops(int count, const std::string &branch = "@%p1 bra") {
  std::string text;
  for (int i = 0; i < count; i++) {
    const std::string label = "$L__BB0_" + std::to_string(i);
    text += label + ": // a loop\n\tadd.s32 %r1, %r1, 1;\n\t" + branch + " " + label + ";\n";
  }
  return ".version 8.5\n.visible .entry f()\n{\n\t.reg .b32 %r<2>;\n" + text + "\tret;\n}\n";
}

std::string repeated(const std::string &line, int count) {
  std::string text;
  for (int i = 0; i < count; i++) text += line;
  return text;
}

} // namespace

TEST_CASE("loops count by their branches back") {
  CHECK(gains(loops(12)));
  CHECK_FALSE(gains(loops(11)));
  CHECK(gains(loops(12, "bra.uni")));
  // Loops between much straight-line code: 25 instructions, and those.
  CHECK(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 455) + loops(12)));
  CHECK_FALSE(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 456) + loops(12)));
  // The same branches forward are no loops.
  CHECK_FALSE(gains(repeated("\t@%p1 bra $L__BB0_1;\n", 12) + "$L__BB0_1:\n\tret;\n"));
}

TEST_CASE("so do very many branches and very many instructions") {
  const std::string end = "$L__BB0_1:\n\tret;\n";
  CHECK(gains(repeated("\t@%p1 bra $L__BB0_1;\n", 400) + end));
  CHECK_FALSE(gains(repeated("\t@%p1 bra $L__BB0_1;\n", 399) + end));
  CHECK(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 8000)));
  CHECK_FALSE(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 7999)));
  CHECK_FALSE(gains(repeated("\t// add\n\t.loc 1 2 3\n", 8000))); // no instructions
}

TEST_CASE("a text with a variable that launches may change has one copy of it, so one code") {
  CHECK_FALSE(gains(".global .align 4 .u32 counter;\n" + loops(20)));
  CHECK_FALSE(gains(".visible .const .align 4 .b8 factors[64];\n" + loops(20)));
  CHECK(gains(".global .align 1 .b8 kiln_text_1[3] = {65, 66, 0};\n" + loops(20)));
}

TEST_CASE("code that is not optimised is assembled fast as it is") {
  CompilerConfig config;
  config.opt_level = 1;
  CHECK_FALSE(gains(loops(20), config));
  config.opt_level = 2;
  config.debug_level = 2;
  CHECK_FALSE(gains(loops(20), config));
  config.strip = true;
  CHECK(gains(loops(20), config));
}
