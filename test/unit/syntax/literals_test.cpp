// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Literals: types and values by their spelling.
#include "parse.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace kiln;

namespace {

struct Literals {
  TypeContext types;
  SourceMap map;
  julia::SyntaxArena arena;
  const julia::Syntax *parse(std::string text) {
    auto file = map.add("test.jl", std::move(text));
    auto result = julia::parse_expression(types, arena, *file);
    REQUIRE(result);
    return *result;
  }
  Value value(std::string text) {
    const julia::Syntax *s = parse(std::move(text));
    REQUIRE(s->is(julia::Head::Literal));
    return s->literal;
  }
  std::string string(std::string text) {
    Value v = value(std::move(text));
    REQUIRE(v.as_string());
    return *v.as_string();
  }
};

} // namespace

TEST_CASE("integers are typed by their digits") {
  Literals l;
  const auto &b = l.types.builtins();
  struct Case {
    const char *text;
    TypeRef type;
    uint64_t low, high;
  };
  const Case cases[] = {
      {"0", b.Int64, 0, 0},
      {"1_000", b.Int64, 1000, 0},
      {"-5", b.Int64, uint64_t(-5), 0},
      {"9223372036854775807", b.Int64, 0x7fffffffffffffff, 0},
      {"-9223372036854775808", b.Int64, 0x8000000000000000, 0},
      {"9223372036854775808", b.Int128, 0x8000000000000000, 0},
      {"170141183460469231731687303715884105727", b.Int128, ~0ull, 0x7fffffffffffffff},
      {"0x1", b.UInt8, 1, 0},
      {"0xff", b.UInt8, 255, 0},
      {"0x0ff", b.UInt16, 255, 0},
      {"0x0001", b.UInt16, 1, 0},
      {"0x00000001", b.UInt32, 1, 0},
      {"0xffff_ffff", b.UInt32, 0xffffffff, 0},
      {"0x123456789", b.UInt64, 0x123456789, 0},
      {"0x00000000000000000", b.UInt128, 0, 0},
      {"0b101", b.UInt8, 5, 0},
      {"0b100000000", b.UInt16, 256, 0},
      {"0o377", b.UInt8, 255, 0},
      {"0o400", b.UInt16, 256, 0},
  };
  for (const Case &c : cases) {
    INFO(c.text);
    Value v = l.value(c.text);
    CHECK(v.type() == c.type);
    CHECK(v.bits() == PrimitiveBits{c.low, c.high});
  }
}

TEST_CASE("floating-point numbers") {
  Literals l;
  const auto &b = l.types.builtins();
  auto number = [&](const char *text) {
    Value v = l.value(text);
    CHECK(v.type() == b.Float64);
    double d = 0;
    uint64_t bits = v.low_bits();
    std::memcpy(&d, &bits, 8);
    return d;
  };
  auto single = [&](const char *text) {
    Value v = l.value(text);
    CHECK(v.type() == b.Float32);
    float f = 0;
    uint32_t bits = uint32_t(v.low_bits());
    std::memcpy(&f, &bits, 4);
    return f;
  };
  CHECK(number("1.0") == 1.0);
  CHECK(number("1.") == 1.0);
  CHECK(number(".5") == 0.5);
  CHECK(number("-0.1") == -0.1);
  CHECK(number("1e-6") == 1e-6);
  CHECK(number("1E+3") == 1000.0);
  CHECK(number("1.e2") == 100.0);
  CHECK(number("3.141_592") == 3.141592);
  CHECK(number("5e-324") == 5e-324);
  CHECK(number("1e-400") == 0.0);
  CHECK(number("0x1.8p3") == 12.0);
  CHECK(number("0x1p-2") == 0.25);
  CHECK(single("1f0") == 1.0f);
  CHECK(single("9.05f-6") == 9.05e-6f);
  CHECK(single("-2.5f3") == -2500.0f);
  CHECK(single("1.0f0") == 1.0f);
}

TEST_CASE("characters are their UTF-8 bytes, the first on top") {
  Literals l;
  struct Case {
    const char *text;
    uint32_t bits;
  };
  const Case cases[] = {{"'a'", 0x61000000},  {"'\\n'", 0x0a000000}, {"'\\''", 0x27000000},
                        {"'''", 0x27000000},  {"'é'", 0xc3a90000},   {"'\\u20ac'", 0xe282ac00},
                        {"'😀'", 0xf09f9880}, {"'\"'", 0x22000000},  {"'\\x41'", 0x41000000}};
  for (const Case &c : cases) {
    INFO(c.text);
    Value v = l.value(c.text);
    CHECK(v.type() == l.types.builtins().Char);
    CHECK(v.low_bits() == c.bits);
  }
}

TEST_CASE("strings") {
  Literals l;
  CHECK(l.string(R"("")") == "");
  CHECK(l.string(R"("a\tb\\\"\$x")") == "a\tb\\\"$x");
  CHECK(l.string(R"("\x41\u00e9\101")") == "A\xc3\xa9"
                                           "A");
  CHECK(l.string("\"a\\\n   b\"") == "ab");
  CHECK(l.string("\"a\r\nb\"") == "a\nb");
  CHECK(l.string("\"\"\"a \"quoted\" b\"\"\"") == "a \"quoted\" b");
  CHECK(l.string("\"\"\"\n    x\n      y\n    \"\"\"") == "x\n  y\n");
  CHECK(l.string("\"\"\"\n    x\n\n      y\"\"\"") == "x\n\n  y");
  CHECK(l.string("\"\"\"a\n  b\n  \"\"\"") == "a\nb\n");
  CHECK(l.string("\"\"\"\n  a\\n  b\n  c\"\"\"") == "a\n  b\nc");
}

TEST_CASE("interpolation and prefixed strings") {
  using parser_test::sexpr;
  CHECK(sexpr(R"~("a$b c$(d + 1)")~") == R"~((string "a" b " c" (call + d 1)))~");
  CHECK(sexpr(R"~("$x")~") == "(string x)");
  CHECK(sexpr(R"~("$(f("$y"))!")~") == R"~((string (call f (string y)) "!"))~");
  CHECK(sexpr("\"\"\"\n  a $x\n    b\n  \"\"\"") == "(string \"a \" x \"\\n  b\\n\")");
  CHECK(sexpr(R"~(raw"a\b")~") == R"~((macrocall @raw_str "a\\b"))~");
  CHECK(sexpr(R"~(raw"a\"b\\")~") == R"~((macrocall @raw_str "a\"b\\"))~");
  CHECK(sexpr(R"~(r"x$"i)~") == R"~((macrocall @r_str "x\$" "i"))~");
  CHECK(sexpr(R"~(A.x"y")~") == R"~((macrocall (macroname A @x_str) "y"))~");
  CHECK(sexpr("`ls -l`") == R"~((macrocall @cmd "ls -l"))~");
}

TEST_CASE("names") {
  using parser_test::sexpr;
  CHECK(sexpr("x′ = ρ₁ + ∇f") == "(= x′ (call + ρ₁ ∇f))");
  CHECK(sexpr("f!(a!)") == "(call f! a!)");
  CHECK(sexpr("µ") == "μ"); // the micro sign is the letter
  CHECK(sexpr("Inf32 + nothing") == "(call + Inf32 nothing)");
  CHECK(sexpr("α²β̂") == "α²β̂");
  CHECK(sexpr("type = mutable + abstract") == "(= type (call + mutable abstract))");
}

TEST_CASE("true and false are Bool literals") {
  Literals l;
  CHECK(l.value("true") == l.types.boolean(true));
  CHECK(l.value("false") == l.types.boolean(false));
  CHECK(l.parse("nothing")->is(julia::Head::Identifier));
}
