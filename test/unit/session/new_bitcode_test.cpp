// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bitcode that this LLVM cannot read. Its bytes are made here, bit by bit, after "LLVM Bitcode File Format"
// (llvm.org/docs/BitCodeFormat.html): the magic number and the identification block, with the version that
// wrote the file and the epoch of the format.
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <string>
#include <string_view>
#include <vector>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

/// Fields of a bitstream: least significant bit first, in words of 32 bits.
class Bits {
public:
  void fixed(uint32_t value, unsigned width) {
    for (unsigned i = 0; i < width; i++) {
      if (count_ % 8 == 0) bytes_ += '\0';
      bytes_[count_ / 8] = char(uint8_t(bytes_[count_ / 8]) | (value >> i & 1) << count_ % 8);
      count_++;
    }
  }
  /// "vbrN": chunks of N - 1 bits, each with a bit that says whether another one follows.
  void variable(uint32_t value, unsigned width) {
    const uint32_t more = 1u << (width - 1);
    for (; value >= more; value >>= width - 1) fixed(value % more | more, width);
    fixed(value, width);
  }
  void align() {
    while (count_ % 32) fixed(0, 1);
  }
  /// [3, vbr6 code, vbr6 number of operands, vbr6 operands]: an unabbreviated record, in a block whose
  /// abbreviations have 3 bits.
  void record(uint32_t code, const std::vector<uint32_t> &operands) {
    fixed(3, 3);
    variable(code, 6);
    variable(uint32_t(operands.size()), 6);
    for (uint32_t operand : operands) variable(operand, 6);
  }
  size_t words() const { return bytes_.size() / 4; }
  const std::string &bytes() const { return bytes_; }

private:
  std::string bytes_;
  size_t count_ = 0;
};

/// ENTER_SUBBLOCK: the block's number, the bits of its abbreviations, its words; at the top level, where
/// abbreviations have 2 bits. `records` get an END_BLOCK.
std::string block(uint32_t id, Bits records) {
  records.fixed(0, 3);
  records.align();
  Bits enter;
  enter.fixed(1, 2);
  enter.variable(id, 8);
  enter.variable(3, 4);
  enter.align();
  enter.fixed(uint32_t(records.words()), 32);
  return enter.bytes() + records.bytes();
}

/// 'BC' 0xC0DE, and an IDENTIFICATION_BLOCK (13) with STRING (1) and EPOCH (2).
std::string identification(std::string_view producer, uint32_t epoch) {
  Bits records;
  records.record(1, {producer.begin(), producer.end()});
  records.record(2, {epoch});
  return "BC\xc0\xde" + block(13, records);
}
/// The same, and an empty MODULE_BLOCK (8).
std::string bitcode(std::string_view producer, uint32_t epoch) {
  return identification(producer, epoch) + block(8, Bits());
}

Error refused(const std::string &ir) {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = must(Session::open(options));
  Result<void> done =
      session->define_ir({.name = "f", .arguments = {"Float32"}, .ir = ir, .file = "program.bc"});
  REQUIRE(!done.ok());
  CHECK(done.error().kind() == ErrorKind::Input);
  return done.take_error();
}

} // namespace

TEST_CASE("bitcode of a newer LLVM is refused with both versions") {
  const std::string told = refused(bitcode("LLVM99.0.1", 0)).what();
  CHECK_THAT(told, Contains("program.bc was written by LLVM99.0.1") && Contains("this Kiln has LLVM 22."));
}

TEST_CASE("bitcode of another epoch, and what ends behind the identification, is refused") {
  CHECK_THAT(refused(bitcode("LLVM99.0.1", 7)).what(), Contains("program.bc") && Contains("epoch"));
  CHECK_THAT(refused(bitcode("LLVM22.1.8", 7)).what(), Contains("program.bc") && Contains("epoch"));
  CHECK_THAT(refused(identification("LLVM22.1.8", 0)).what(), Contains("program.bc"));
  CHECK_THAT(refused(identification("LLVM22.1.8", 0).substr(0, 12)).what(), Contains("program.bc"));
}

TEST_CASE("hooks that give bitcode of a newer LLVM end their job with both versions") {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  auto session = must(Session::open(options));
  must(session->load("add.jl", "add(x) = x + 1\n"));
  CompilerConfig config;
  config.kernel = false;
  config.hooks =
      must(make_hooks({.name = "ahead",
                       .version = "1",
                       .moments = {IrMoment::FinishModule},
                       .form = IrForm::Bitcode,
                       .rewrite = [](IrMoment, std::string_view ir) -> Result<std::optional<std::string>> {
                         CHECK(ir.starts_with("BC\xc0\xde"));
                         return std::optional(bitcode("LLVM99.0.1", 0));
                       }}));
  auto failed = session->compile("add(Int64)", config, ArtifactKind::Object);
  REQUIRE(!failed.ok());
  CHECK(failed.error().kind() == ErrorKind::Input);
  CHECK_THAT(failed.error().what(),
             Contains("ahead.bc was written by LLVM99.0.1") && Contains("this Kiln has LLVM 22."));
}
