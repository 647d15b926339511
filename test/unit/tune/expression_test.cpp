// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of whole numbers; expected values are computed by hand, or by Julia's definitions in C++.
#include "must.h"

#include <tune/expression.h>

#include <climits>

namespace expression_test {

using namespace kiln;
using namespace kiln::test;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

/// a = 7, b = -2, text is none; arguments: 1 is a 3x4 array, 2 the number 9.
class Names : public ExpressionScope {
public:
  Result<int64_t> value(std::string_view name) const override {
    if (name == "a") return int64_t(7);
    if (name == "b") return int64_t(-2);
    return input_error("text is `Float32`, which is no whole number");
  }
  Result<int64_t> size(int64_t argument, int64_t dimension) const override {
    if (argument == 2 && dimension == -1) return int64_t(9);
    if (argument != 1 || dimension < 0) return input_error("there is no argument like that");
    return dimension == 0 ? int64_t(12) : dimension == 1 ? int64_t(3) : int64_t(4);
  }
};
bool is_known(std::string_view name) { return name == "a" || name == "b" || name == "text"; }

int64_t value(std::string_view text) {
  return must(must(Expression::parse("test", text, is_known, 5)).evaluate(Names()));
}
std::string fault(std::string_view text) {
  auto parsed = Expression::parse("test", text, is_known, 5);
  if (!parsed.ok()) return parsed.error().what();
  auto evaluated = parsed->evaluate(Names());
  if (evaluated.ok()) return "none";
  CHECK(evaluated.error().diagnostics()[0].name() == "expression error");
  return evaluated.error().what();
}

} // namespace

TEST_CASE("operators bind as in Julia") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("-a + b") == -9);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("2 ^ 3 ^ 2") == 512);
  CHECK(value("12 / 4 * 2") == 6);
  CHECK(value("1 < 2 && 3 >= 3 || false") == 1);
  CHECK(value("!(a == 7)") == 0);
  CHECK(value("a != 7 ? 1 : b < 0 ? 2 : 3") == 2);
  CHECK(value("") == 5);
  CHECK(value("  ") == 5);
  CHECK(value("$a + $(b)") == 5);
}

TEST_CASE("division rounds as its name says, for every pair of signs") {
  for (int64_t x : {7, -7, 6, -6, 0})
    for (int64_t y : {2, -2, 3, -3}) {
      const std::string pair = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
      const auto down = int64_t(std::floor(double(x) / double(y)));
      CHECK(value("fld" + pair) == down);
      CHECK(value("cld" + pair) == int64_t(std::ceil(double(x) / double(y))));
      CHECK(value("div" + pair) == x / y);
      CHECK(value("rem" + pair) == x % y);
      CHECK(value("mod" + pair) == x - down * y);
    }
  CHECK(value("7 ÷ 2") == 3);
  CHECK(value("7 % 4") == 3);
  CHECK(has(fault("7 / 2"), "7 / 2 is no whole number"));
  CHECK(has(fault("1 / 0"), "a division by 0"));
  CHECK(has(fault("cld(1, a - 7)"), "a division by 0"));
}

TEST_CASE("functions, and sizes of arguments") {
  CHECK(value("min(3, 1, 2)") == 1);
  CHECK(value("max(a, b)") == 7);
  CHECK(value("abs(b)") == 2);
  CHECK(value("ispow2(64) && !ispow2(65) && !ispow2(0)") == 1);
  CHECK(value("nextpow2(65)") == 128);
  CHECK(value("nextpow2(64)") == 64);
  CHECK(value("size(1, 1) * size(1, 2) == length(1)") == 1);
  CHECK(value("value(2)") == 9);
  CHECK(has(fault("size(1, 0)"), "dimensions are counted from 1"));
  CHECK(has(fault("length(3)"), "there is no argument like that"));
}

TEST_CASE("what is no number is an error that says where") {
  CHECK(has(fault("9223372036854775807 + 1"), "above 2^63 - 1"));
  CHECK(has(fault("2 ^ 63"), "above 2^63 - 1"));
  CHECK(value("(-1) ^ 1000000000001") == -1);
  CHECK(value("0 ^ 5000000000") == 0);
  CHECK(has(fault("2 ^ -1"), "negative exponent"));
  CHECK(has(fault("text + 1"), "no whole number"));
  CHECK(value("a == 7 || text == 1") == 1); // what is not needed is not asked
  const std::string unknown = fault("a + tile");
  CHECK(has(unknown, "test:1:5: expression error[144]: there is no parameter or size `tile`"));
  CHECK(has(fault("foo(1)"), "there is no function foo"));
  CHECK(has(fault("cld(1)"), "cld takes 2 arguments, not 1"));
  CHECK(has(fault("1 < 2 < 3"), "comparisons do not chain"));
  CHECK(has(fault("1.5"), "whole numbers"));
  CHECK(has(fault("(1"), "`)` is missing"));
  CHECK(has(fault("1 +"), "a value is expected"));
  CHECK(has(fault("1 2"), "ends before this"));
  CHECK(has(fault("a ? 1"), "`:` is missing"));
  CHECK(has(fault("99999999999999999999"), "above 2^63 - 1"));
  CHECK(has(fault(std::string(5000, '(')), "nests too deeply"));
  CHECK(has(fault(std::string(5000, '-') + "1"), "nests too deeply"));
}

TEST_CASE("names in texts") {
  const std::string tile = "16", type = "Float32";
  auto find = [&](std::string_view name) -> const std::string * {
    return name == "TILE" ? &tile : name == "T" ? &type : nullptr;
  };
  CHECK(must(fill_names("Val($TILE)", find)) == "Val(16)");
  CHECK(must(fill_names("f$(TILE)x{$T}", find)) == "f16x{Float32}");
  CHECK(must(fill_names("costs 5$, \"$\"", find)) == "costs 5$, \"$\"");
  CHECK(must(fill_names("", find)).empty());
  auto missing = fill_names("Val($TILES)", find);
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().diagnostics()[0].name() == "space error");
  CHECK(names_in("$A $(B) $A 3$") == std::set<std::string, std::less<>>{"A", "B"});
}

} // namespace expression_test
