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

std::string repeated(const std::string &line, int count) {
  std::string text;
  for (int i = 0; i < count; i++) text += line;
  return text;
}

const std::string branches = repeated("\t@%p1 bra $L__BB0_1;\n", 400) + "$L__BB0_1:\n\tret;\n";

} // namespace

TEST_CASE("very many branches count, and very many instructions") {
  const std::string end = "$L__BB0_1:\n\tret;\n";
  CHECK(gains(branches));
  CHECK(gains(repeated("\tbra.uni $L__BB0_1;\n", 400) + end));
  CHECK_FALSE(gains(repeated("\t@%p1 bra $L__BB0_1;\n", 399) + end));
  CHECK_FALSE(
      gains(repeated("$L__BB0_2:\n\tadd.s32 %r1, %r1, 1;\n\t@%p1 bra $L__BB0_2;\n", 60) + end)); // loops
  CHECK(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 8000)));
  CHECK_FALSE(gains(repeated("\tadd.s32 %r1, %r1, 1;\n", 7999)));
  CHECK_FALSE(gains(repeated("\t// add\n\t.loc 1 2 3\n", 8000))); // no instructions
}

TEST_CASE("a text with a variable that launches may change has one copy of it, so one code") {
  CHECK_FALSE(gains(".global .align 4 .u32 counter;\n" + branches));
  CHECK_FALSE(gains(".visible .const .align 4 .b8 factors[64];\n" + branches));
  CHECK(gains(".global .align 1 .b8 kiln_text_1[3] = {65, 66, 0};\n" + branches));
}

TEST_CASE("code that is not optimised is assembled fast as it is") {
  CompilerConfig config;
  config.opt_level = 1;
  CHECK_FALSE(gains(branches, config));
  config.opt_level = 2;
  config.debug_level = 2;
  CHECK_FALSE(gains(branches, config));
  config.strip = true;
  CHECK(gains(branches, config));
}
