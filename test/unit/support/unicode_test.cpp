// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Characters against the Unicode Character Database as Python's unicodedata gives it, and escapes by the
// rules of Julia's base/strings/io.jl.
#include <support/float_text.h>
#include <support/unicode.h>

#include <catch2/catch.hpp>

#include <bit>

using namespace kiln;
using namespace kiln::unicode;

TEST_CASE("categories, mappings and widths are those of the database") {
  struct {
    uint32_t code;
    Category category;
    uint32_t upper, lower, title;
    int width;
  } const expected[] = {
      {'a', Category::Ll, 'A', 'a', 'A', 1},
      {'Z', Category::Lu, 'Z', 'z', 'Z', 1},
      {0x00df, Category::Ll, 0x1e9e, 0x00df, 0x1e9e, 1}, // utf8proc's own exception
      {0x00e9, Category::Ll, 0x00c9, 0x00e9, 0x00c9, 1},
      {0x0130, Category::Lu, 0x0130, 'i', 0x0130, 1},
      {0x0149, Category::Ll, 0x0149, 0x0149, 0x0149, 1}, // two characters in capitals
      {0x01c5, Category::Lt, 0x01c4, 0x01c6, 0x01c5, 1},
      {0x0301, Category::Mn, 0x0301, 0x0301, 0x0301, 0},
      {0x10d0, Category::Ll, 0x1c90, 0x10d0, 0x10d0, 1},
      {0x1fb3, Category::Ll, 0x1fbc, 0x1fb3, 0x1fbc, 1},
      {0x2028, Category::Zl, 0x2028, 0x2028, 0x2028, 0},
      {0x4e2d, Category::Lo, 0x4e2d, 0x4e2d, 0x4e2d, 2},
      {0x1f600, Category::So, 0x1f600, 0x1f600, 0x1f600, 2},
      {0x1e921, Category::Lu, 0x1e921, 0x1e943, 0x1e921, 1},
      {0x10ffff, Category::Cn, 0x10ffff, 0x10ffff, 0x10ffff, 1},
  };
  for (const auto &each : expected) {
    CAPTURE(each.code);
    CHECK(category(each.code) == each.category);
    CHECK(to_upper(each.code) == each.upper);
    CHECK(to_lower(each.code) == each.lower);
    CHECK(to_title(each.code) == each.title);
    CHECK(width(each.code) == each.width);
  }
  CHECK(category(0xffffffff) == Category::Cn);
  CHECK(is_upper(0xc9));
  CHECK_FALSE(is_upper(0x1c5));
  CHECK(is_lower(0x44f));
  CHECK_FALSE(is_print(0x200b));
}

TEST_CASE("characters are taken apart as Julia's strings are") {
  const std::string_view text =
      "\xc3\xa9\x80\xffz\xe2\x82"; // é, two bytes alone, z, a character that is cut off
  CHECK(char_at(text, 0).code() == 0xe9);
  CHECK(char_at(text, 2).bits == 0x80000000);
  CHECK(char_at(text, 2).is_malformed());
  CHECK(char_at(text, 3).is_malformed());
  CHECK(char_at(text, 5).bits == 0xe2820000);
  CHECK(char_at(text, 5).is_malformed());
  CHECK(Char{0xc0800000}.is_overlong());
  CHECK(char_of(0x1f600).bits == 0xf09f9880);
  CHECK(mapped("aé\xff", to_upper) == "AÉ\xff");
  CHECK(escaped(std::string_view("\0"
                                 "7\x1b\n\x7f\xe2\x80\x8b"
                                 "f\xff\"$",
                                 12),
                "\"$") == "\\x007\\e\\n\\x7f\\u200bf\\xff\\\"\\$");
  CHECK(escaped("'\"", "'") == "\\'\"");
}

TEST_CASE("floats are written as Julia's base/ryu/shortest.jl has it") {
  auto of = [](double x, FloatStyle style = {}) {
    return float_text(FloatKind::Float64, std::bit_cast<uint64_t>(x), style);
  };
  auto of_single = [](float x, FloatStyle style = {}) {
    return float_text(FloatKind::Float32, std::bit_cast<uint32_t>(x), style);
  };
  CHECK(of(100000.0) == "100000.0");
  CHECK(of(1e6) == "1.0e6");
  CHECK(of(-0.0001) == "-0.0001");
  CHECK(of(0.00001) == "1.0e-5");
  CHECK(of(123456.7, {.compact = true}) == "1.23457e5"); // 123457.0 would be another number
  CHECK(of(0.1234575, {.compact = true}) == "0.123458"); // its digits end in 5: to even
  CHECK(of(0.1234565, {.compact = true}) == "0.123456");
  CHECK(of(999999.96, {.compact = true}) == "1.0e6");
  CHECK(of_single(1e-7f) == "1.0f-7");
  CHECK(of_single(1e-7f, {.typed = false}) == "1.0f-7");
  CHECK(of_single(1e-7f, {.typed = false, .printed = true}) == "1.0e-7");
  CHECK(of_single(1.5f) == "1.5f0");
  CHECK(of_single(-1.0f / 0.0f) == "-Inf32");
  CHECK(float_text(FloatKind::Float16, 0x3c00) == "Float16(1.0)");
  CHECK(float_text(FloatKind::Float16, 0x63d0) == "Float16(1.0e3)");
  CHECK(float_text(FloatKind::Float16, 0x2e66, {.typed = false}) == "0.1");
  CHECK(float_text(FloatKind::Float16, 0x0001) == "Float16(6.0e-8)");
  CHECK(float_text(FloatKind::BFloat16, 0x3f80, {.typed = false}) == "1.0");
}
