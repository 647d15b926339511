// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are not written f(x): splats, invoke, new.
#include "fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;
using Faults = std::vector<std::string>;

TEST_CASE("splats of tuples, named tuples and numbers") {
  InferFixture f;
  f.load(R"(
add(a, b) = a + b
splat(t) = add(t...)
two(s, t) = add(s..., t...)
number(x) = add(x, 3...)
named(x) = add((a = x, b = 1.0)...)
)");
  CHECK(f.result("splat(Tuple{Int64, Float32})") == "Float32");
  CHECK(f.result("two(Tuple{Int64}, Tuple{Int64})") == "Int64");
  CHECK(f.result("number(Int64)") == "Int64");
  CHECK(f.result("named(Int64)") == "Float64");
  CHECK(f.faults(f.infer("splat(Tuple{Int64})")) == Faults{"MethodError: no method matching add(::Int64)"});
  CHECK(
      f.faults(f.infer("splat(UnitRange{Int64})")) ==
      Faults{
          "InvalidIRError: splatting a value of type UnitRange{Int64}: only tuples of known length can be splatted"});
}

TEST_CASE("invoke calls the method that its types choose") {
  InferFixture f;
  f.load(R"(
h(x) = 1
h(x::Integer) = 'i'
h(x::Int64) = 2.0
direct(x) = h(x)
any(x) = invoke(h, Tuple{Any}, x)
integer(x) = invoke(h, Tuple{Integer}, x)
wrong(x) = invoke(h, Tuple{Int64}, x)
no_tuple(x) = invoke(h, 3, x)
)");
  CHECK(f.result("direct(Int64)") == "Const(2.0)");
  CHECK(f.result("any(Int64)") == "Const(1)");
  CHECK(f.result("integer(Int64)") == "Const('i')");
  auto wrong = f.faults(f.infer("wrong(Float64)"));
  REQUIRE(wrong.size() == 1);
  CHECK_THAT(wrong[0], Catch::StartsWith("MethodError: no method matching h("));
  CHECK(f.faults(f.infer("no_tuple(Int64)")) ==
        Faults{"TypeError: invoke takes a Tuple type that is known at compile time"});
}

TEST_CASE("new: fields are converted to their types") {
  InferFixture f;
  f.load(R"(
struct Pair{A, B}
    first::A
    second::B
end
struct Whole
    value::Int64
    Whole(x) = new(x)
end
mutable struct Cell
    value::Float32
end
make(x, y) = Pair(x, y)
second(x) = Pair(x, 2.0).second
whole(x) = Whole(x).value
cell(x) = Cell(x).value
)");
  CHECK(f.result("make(Int64, Bool)") == "Pair{Int64, Bool}");
  CHECK(f.result("second(Int64)") == "Float64");
  CHECK(f.result("whole(UInt8)") == "Int64"); // new converts, as Julia's does
  CHECK(f.result("cell(Int64)") == "Float32");
  CHECK_FALSE(f.faults(f.infer("whole(String)")).empty()); // no conversion of a String
}
