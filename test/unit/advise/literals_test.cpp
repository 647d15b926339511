// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Literals of Julia's source, by the manual's chapter "Integers and Floating-Point Numbers".
#include <advise/literals.h>

#include <catch2/catch.hpp>

using namespace kiln;

namespace {

/// "f2.5@4" for a Float64 of 2.5 that begins at byte 4, "i3@0" for an Int64.
std::string told(std::string_view line) {
  std::string text;
  for (const Literal &literal : literals_of(line)) {
    if (!text.empty()) text += ' ';
    text += literal.kind == Literal::Kind::Float64 ? 'f' : 'i';
    text += std::string(line.substr(literal.begin, literal.end - literal.begin)) + '@' +
            std::to_string(literal.begin);
  }
  return text;
}

double value(std::string_view line) { return literals_of(line).at(0).value; }

} // namespace

TEST_CASE("literals of type Float64 and Int64 are found") {
  CHECK(told("x * 2.0 + 0.1") == "f2.0@4 f0.1@10");
  CHECK(told("1e-3 + .5 + 2. + 1_000.5") == "f1e-3@0 f.5@7 f2.@12 f1_000.5@17");
  CHECK(told("1:10, x[3]") == "i1@0 i10@2 i3@8");
  CHECK(told("2x + 3.0y") == "i2@0 f3.0@5");
  CHECK(told("1..2") == "i1@0 i2@3"); // an operator that packages define
  CHECK(value("1_000.5") == 1000.5);
  CHECK(value("1e-3") == 1e-3);
  CHECK(value("12") == 12);
}

TEST_CASE("literals of other types are none") {
  CHECK(told("2f0 + 1.5f-3 + 1f0") == "");
  CHECK(told("1i32 + 0x10 + 0b11 + 0o7") == "");
  CHECK(told("x1 + y_2 + z3.f4") == "");
}

TEST_CASE("an operator with a point is not the number's") {
  CHECK(told("2 .* x") == "i2@0");
  CHECK(told("2.0.*x") == "f2.0@0");
}

TEST_CASE("comments and strings are not read") { CHECK(told("f(\"2.0 \\\" 3.0\", 4.0) # 5.0") == "f4.0@16"); }

TEST_CASE("the same number as a Float32") {
  CHECK(as_float32("2.0") == "2f0");
  CHECK(as_float32("2.") == "2f0");
  CHECK(as_float32("0.1") == "0.1f0");
  CHECK(as_float32(".5") == ".5f0");
  CHECK(as_float32("1.5e-3") == "1.5f-3");
  CHECK(as_float32("1E6") == "1f6");
}

TEST_CASE("the literal of a statement") {
  SourceMap sources;
  auto file = sources.add("a.jl", "const c = 0.25\nfunction f(x)\n    s = 0.0\n    t = g(3.0, x)\n"
                                  "    s += x * 2.0 + 2.0\n    return s\nend\n");
  auto at = [&](uint32_t line, uint32_t column, double wanted) -> std::string {
    auto found = find_literal(sources.locate_line("a.jl", line, column), 2,
                              [&](const Literal &literal) { return literal.value == wanted; });
    return found ? found->text + ":" + std::to_string(found->at.line()) + ":" +
                       std::to_string(found->at.column())
                 : "none";
  };
  CHECK(at(5, 5, 2.0) == "2.0:5:14");  // the first in its line
  CHECK(at(5, 15, 2.0) == "2.0:5:20"); // behind the place
  CHECK(at(5, 5, 0.0) == "0.0:3:9");   // what a line before sets a name to
  CHECK(at(5, 5, 3.0) == "none");      // an argument of another call is not
  CHECK(at(5, 5, 0.25) == "0.25:1:11");
  CHECK_FALSE(find_literal(Location(), 1, [](const Literal &) { return true; }).has_value());
}
