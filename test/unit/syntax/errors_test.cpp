// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is wrong, and where; how far the parser goes on; nesting that must not end in a crash.
#include "parse.h"

#include <catch2/catch.hpp>

using parser_test::parse;

TEST_CASE("places and messages of syntax errors") {
  struct Case {
    const char *text, *error;
  };
  const Case cases[] = {
      {"f (x)", "1:3: no space is allowed before `(` of a call"},
      {"f(a b)", "1:5: expected `,` or `)`, found `b`"},
      {"a[1", "1:4: expected `]`, found the end of the file"},
      {"x = )", "1:5: expected an expression, found `)`"},
      {"x = ", "1:3: `=` has no right operand"},
      {"function f(y)\n y[1] = 1 +\nend", "2:11: `+` has no right operand"},
      {"function f(y)\n y[1] < \nend", "2:7: `<` has no right operand"},
      {"function f(y)\n y[1] &&\nend", "2:7: `&&` has no right operand"},
      {"x y", "1:3: expected the end of the statement, found `y`"},
      {"begin\n x y\nend", "2:4: expected the end of the statement, found `y`"},
      {"function f(x)\n 1\n", "2:3: expected `end` of `function`, found the end of the file"},
      {"end", "1:1: `end` closes nothing"},
      {"a\n)", "2:1: `)` closes nothing"},
      {"x = \"abc", "1:5: unterminated string"},
      {"\"$\"", "1:2: a name or `(` follows `$` in a string"},
      {"\"é\\q\"", "1:3: unknown escape sequence"},
      {"'ab'", "1:1: a character literal holds one character"},
      {"''", "1:1: empty character literal"},
      {"a ?b : c", "1:3: `?` wants a space on both sides"},
      {"a ? b", "1:6: expected `:` of `a ? b : c`, found the end of the file"},
      {"1.+2", "1:1: ambiguous dot between a number and an operator: put a space on one side of it"},
      {"2.x", "1:1: a number that ends with a dot cannot be multiplied by what follows: write a `*`"},
      {"a ** b", "1:3: `**` is no operator: powers are written `^`"},
      {"#= x", "1:1: unterminated multi-line comment `#= ... =#`"},
      {"for x 1 end", "1:7: expected `=` or `in` after the variable of `for`, found `1`"},
      {"(i for outer i in x)", "1:8: `outer` is for loops: a generator's variable is its own"},
      {"[1, 2; 3]", "1:6: `,` and `;` cannot both separate elements of an array"},
      {"try\nx\nend", "3:1: expected `catch` or `finally` of `try`, found `end`"},
      {"*x", "1:1: `*` is not a unary operator"},
      {"0b12", "1:1: `2` is no digit of a binary number"},
      {"1e999", "1:1: the number is too large for its type"},
      {"x = “a”", "1:5: invalid character: a string is quoted with \""},
      {"x = \xff", "1:5: invalid UTF-8"},
      {"import A, B: c", "1:12: only one module can stand before the `:` of names"},
      {"f() = 1 2", "1:9: expected the end of the statement, found `2`"},
      {"1:\n2", "2:1: a range cannot go on after a line end: `:` wants its right side on the same line"},
  };
  for (const Case &c : cases) {
    INFO(c.text);
    auto parsed = parse(c.text);
    REQUIRE(parsed.errors.size() == 1);
    CHECK(parsed.errors[0] == c.error);
  }
}

TEST_CASE("errors are input errors named `syntax error`, with the place of the other bracket") {
  kiln::TypeContext types;
  kiln::SourceMap map;
  kiln::julia::SyntaxArena arena;
  auto result = kiln::julia::parse_file(types, arena, *map.add("k.jl", "f(1,\n  2"));
  REQUIRE(!result);
  CHECK(result.error().kind() == kiln::ErrorKind::Input);
  const kiln::Diagnostic &d = result.error().diagnostics().at(0);
  CHECK(d.name() == "syntax error");
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].at.begin == 1);
}

TEST_CASE("the parser goes on at the next statement") {
  auto parsed = parse("f (x)\n"
                      "g = 1\n"
                      "function k(x)\n"
                      "  x = )\n"
                      "end\n"
                      "h(1, 2\n"
                      "function l(x)\n"
                      "  y z\n"
                      "end\n"
                      "m = 2 3\n");
  std::vector<std::string> places;
  for (const std::string &e : parsed.errors) places.push_back(e.substr(0, e.find(": ")));
  CHECK(places == std::vector<std::string>{"1:3", "4:7", "7:1", "8:5", "10:7"});
}

TEST_CASE("errors in a module do not hide those after it") {
  auto parsed = parse("module M\n\nx = )\ny = 1\nend\n\nz = )\n");
  REQUIRE(parsed.errors.size() == 2);
  CHECK(parsed.errors[0].substr(0, 4) == "3:5:");
  CHECK(parsed.errors[1].substr(0, 4) == "7:5:");
}

TEST_CASE("at most 5 errors") {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "x = )\n";
  CHECK(parse(text).errors.size() == 5);
}

namespace {

std::string repeat(std::string_view s, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i) out += s;
  return out;
}

} // namespace

TEST_CASE("deep nesting parses up to the limit and is an error beyond") {
  struct Case {
    const char *open, *middle, *close;
    size_t weight; ///< levels of one repetition
  };
  const Case cases[] = {
      {"(", "x", ")", 1},
      {"[", "x", "]", 1},
      {"f(", "x", ")", 1},
      {"a[", "1", "]", 1},
      {"!", "x", "", 1},
      {"- ", "x", "", 1},
      {"$", "x", "", 1},
      {"x -> ", "x", "", 3},
      {"a = ", "x", "", 1},
      {"a => ", "x", "", 1},
      {"a ^ ", "x", "", 2},
      {"a ? b : ", "x", "", 2},
      {"a && ", "x", "", 1},
      {"begin ", "x", " end", 1},
      {"if a ", "x", " end", 2},
      {"@m ", "x", "", 1},
      {"@m(", "x", ")", 1},
      {":(", "x", ")", 2},
      {"\"$(", "x", ")\"", 2},
      {"A{", "T", "}", 1},
      {"(a; ", "x", ")", 1},
      {"[x for y in ", "z", "]", 2},
      {"let ", "x", " end", 2},
      {"f() do; ", "x", " end", 3},
      {"module M; ", "x", " end", 2},
      {"x::", "T", "", 2},
      {"<:", "T", "", 2},
      {"f(x) = ", "1", "", 2},
      {"[1 ", "2", "]", 1},
      {"while a ", "x", " end", 2},
      {"quote ", "x", " end", 2},
  };
  for (const Case &c : cases) {
    INFO(c.open);
    size_t few = 900 / (2 * c.weight);
    auto shallow = parse(repeat(c.open, few) + c.middle + repeat(c.close, few));
    CHECK(shallow.errors == std::vector<std::string>{});
    for (size_t n : {1001, 100000}) {
      auto deep = parse(repeat(c.open, n) + c.middle + repeat(c.close, n));
      REQUIRE(deep.errors.size() == 1);
      CHECK(deep.errors[0].find("nested too deeply: more than 1000 levels") != std::string::npos);
    }
  }
}

TEST_CASE("trees that grow to the left are limited too") {
  for (const char *link : {" - a", ".b", "(x)", "[1]", "'", " |> f", "{T}", " << 2", " where T"}) {
    INFO(link);
    CHECK(parse("a" + repeat(link, 800)).errors.empty());
    auto deep = parse("a" + repeat(link, 5000));
    REQUIRE(deep.errors.size() == 1);
    CHECK(deep.errors[0].find("nested too deeply") != std::string::npos);
  }
  CHECK(parse("a" + repeat(" + a", 5000)).errors.empty()); // one flat call
  CHECK(parse("x = [" + repeat("1, ", 50000) + "]").errors.empty());
}

TEST_CASE("no prefix of a program and no dropped character crashes the parser") {
  const std::string program =
      "module M\nusing A: b\n\"\"\"\n  doc $(x)\n\"\"\"\nfunction f(x::T; k=1, y...) where {T<:Real}\n"
      "  @inbounds for i in 1:2:n\n    a[i, end] += b'[i] ? 'c' : \"s$z\"\n  end\n"
      "  try g.(x) do y; y end catch e end\n  [1 -2; 3 4], :(a + $b), 0x1f, 1f0, raw\"x\"\nend\n"
      "struct S{T} <: U\n  x::T\nend\nend\n";
  CHECK(parse(program).errors == std::vector<std::string>{});
  for (size_t i = 0; i < program.size(); ++i) {
    parse(program.substr(0, i));
    parse(program.substr(i));
    parse(program.substr(0, i) + program.substr(i + 1));
  }
  SUCCEED();
}
