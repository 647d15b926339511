// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of the host: column-major, indexed from 1.
#include "julia_world.h"

using namespace kiln;
using namespace kiln::test;
using Catch::StartsWith;

namespace {

struct ArrayFixture : JuliaWorld {
  Result<Value> evaluate(std::string_view expression) {
    return frontend.evaluate(world, *world.main(), "expression", expression);
  }
  std::string value(std::string_view expression) { return to_string(take(evaluate(expression))); }
  std::string error(std::string_view expression) { return failure(evaluate(expression)); }
};

} // namespace

TEST_CASE("made with an element type, a size, a value") {
  ArrayFixture f;
  CHECK(f.value("(eltype(zeros(3)), eltype(zeros(Int8, 3)), eltype(fill(1f0, 2)), eltype([1, 2.5]))") ==
        "(Float64, Int8, Float32, Float64)");
  CHECK(f.value("(size(zeros(2, 3)), length(zeros(2, 3)), ndims(ones(1, 2, 3)), size(zeros(2, 3), 2))") ==
        "((2, 3), 6, 3, 3)");
  CHECK(f.value("(ones(Int16, 2)[2], fill(7, 2, 2)[2, 1], [4, 5, 6][3])") == "(1, 7, 6)");
  CHECK(f.value("length(zeros(0))") == "0");
  CHECK_THAT(f.error("zeros(-1)"), StartsWith("ArgumentError: invalid Array dimensions"));
  CHECK_THAT(f.error("zeros(1.5)"), StartsWith("MethodError: "));
  const Value array = f.take(f.evaluate("Int16[1, -2, 3]"));
  REQUIRE(array.as_array());
  const int16_t expected[] = {1, -2, 3};
  REQUIRE(array.as_array()->bytes.size() == sizeof expected);
  CHECK(std::memcmp(array.as_array()->bytes.data(), expected, sizeof expected) == 0);
}

TEST_CASE("indexed by columns, and nowhere else") {
  ArrayFixture f;
  f.load(R"(
function numbered()
    a = zeros(Int64, 2, 3)
    for i in 1:6
        a[i] = 10i
    end
    return a
end
function stored(x)
    a = zeros(Int32, 2)
    a[2] = x
    return a[2]
end
)");
  CHECK(f.value("(a = numbered(); (a[1, 1], a[2, 1], a[1, 2], a[2, 3]))") == "(10, 20, 30, 60)");
  CHECK(f.value("sum(numbered())") == "210");
  CHECK(f.value("numbered()[2:3]") == f.value("[20, 30]"));
  CHECK(f.value("stored(3.0)") == "3"); // converted to the element's type
  CHECK_THAT(f.error("stored(3.5)"), StartsWith("InexactError"));
  CHECK_THAT(f.error("numbered()[7]"), StartsWith("BoundsError"));
  CHECK_THAT(f.error("numbered()[0]"), StartsWith("BoundsError"));
  CHECK_THAT(f.error("numbered()[3, 1]"), StartsWith("BoundsError"));
  CHECK_THAT(f.error("numbered()[1.5]"), StartsWith("ArgumentError: invalid index: 1.5 of type Float64"));
  CHECK_THAT(f.error("numbered()[true]"), StartsWith("ArgumentError: invalid index: true of type Bool"));
}

TEST_CASE("indices and operations follow Julia's rules outside programs, too") {
  ArrayFixture f;
  f.load("cube() = zeros(Int64, 2, 3, 4)\nrow() = [10, 20, 30]\n");
  CHECK_THAT(f.error("cube()[1, 2]"), StartsWith("BoundsError")); // the third dimension has 4 places
  CHECK_THAT(f.error("cube()[1, 2, 3, 2]"), StartsWith("BoundsError"));
  CHECK(f.value("cube()[1, 2, 3, 1]") == "0");
  CHECK(f.value("row()[[true, false, true]]") == f.value("[10, 30]"));
  CHECK(f.value("size(cube()[:, 2:3, 1])") == "(2, 2)");
  CHECK_THAT(f.error("row()[[true, false]]"), StartsWith("BoundsError"));
  CHECK(f.value("size(map(x -> x + 1, [1 2; 3 4]))") == "(2, 2)");
  CHECK(f.value("map(x -> x + 1, [1 2; 3 4])[2, 1]") == "4");
  CHECK(f.value("size(collect([1 2; 3 4]))") == "(2, 2)");
  CHECK(f.value("size(collect(fill(7)))") == "()");
  CHECK(f.value("size([i + j for i in 1:2, j in 1:3])") == "(2, 3)");
  CHECK(f.value("(eltype(collect(1:0)), eltype(collect((1, 2.0))), eltype([\"a\", nothing]))") ==
        "(Int64, Real, Union{Nothing, String})");
  CHECK_THAT(f.error("filter(x -> 1, row())"), StartsWith("TypeError"));
  CHECK(f.value("filter(x -> x > 10, row())") == f.value("[20, 30]"));
  CHECK(f.value("(30 in row(), 30.0 in row(), 31 in row())") == "(true, true, false)");
  CHECK(f.value("(a = row(); push!(a, 40.0); pushfirst!(a, 0); (pop!(a), popfirst!(a), length(a)))") ==
        "(40, 0, 3)");
  CHECK_THAT(f.error("push!([1 2; 3 4], 5)"), StartsWith("MethodError"));
  CHECK_THAT(f.error("pop!(Int64[])"), StartsWith("ArgumentError: array must be non-empty"));
}
