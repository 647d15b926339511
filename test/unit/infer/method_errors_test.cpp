// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of a call that no method takes.
#include "fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;

namespace {

const InferenceFault &only_fault(InferFixture &f, std::string_view call) {
  const CodeInstance &code = f.infer(call);
  REQUIRE(code.faults.size() == 1);
  CHECK(code.faults[0].code == ErrorCode::MethodError);
  return code.faults[0];
}

} // namespace

TEST_CASE("the nearest three methods are shown, those that take as many arguments first") {
  InferFixture f;
  f.load(R"(h(x::Int8, y::Int8, z::Int8) = 1
h(x::Int8) = 2
h(x::Int8, y::Float64) = 3
h(x::Int16, y::Bool) = 4
h(x::Int16) = 5
call(x, y) = h(x, y)
)");
  const InferenceFault &fault = only_fault(f, "call(Int8, Char)");
  CHECK(fault.message == "no method matching h(::Int8, ::Char)");
  REQUIRE(fault.notes.size() == 4);
  CHECK_THAT(fault.notes[0], Contains("closest candidate: h(::Int8, ::Float64)") && Contains("test.jl:3"));
  CHECK_THAT(fault.notes[1], Contains("closest candidate: h(::Int16, ::Bool)") && Contains("test.jl:4"));
  CHECK(fault.notes[3] == "2 more methods are farther off");
}

TEST_CASE("an ambiguous call names the methods between which it cannot choose") {
  InferFixture f;
  f.load("h(x::Int64, y) = 1\nh(x, y::Int64) = 2\ncall(x, y) = h(x, y)\n");
  const InferenceFault &fault = only_fault(f, "call(Int64, Int64)");
  CHECK(fault.message == "h(::Int64, ::Int64) is ambiguous");
  CHECK(fault.hint == "define a method for the intersection of the candidates");
  REQUIRE(fault.notes.size() == 2);
  for (const std::string &note : fault.notes) CHECK_THAT(note, Catch::StartsWith("candidate: h("));
  // Defining that method helps.
  f.load("h(x::Int64, y::Int64) = 3\n");
  CHECK(f.result("call(Int64, Int64)") == "Const(3)");
}
