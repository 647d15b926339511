// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of code instances: what is found again, what a definition ends, and in which worlds it stands.
#include "fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;

TEST_CASE("what was inferred is found again") {
  InferFixture f;
  f.load("g(x) = x + 1\nf(x) = g(x)\n");
  const CodeInstance &first = f.infer("f(Int64)");
  const uint64_t inferred = f.table.counters().inferred, hits = f.table.counters().hits;
  CHECK(&f.infer("f(Int64)") == &first);
  CHECK(f.table.counters().inferred == inferred);
  CHECK(f.table.counters().hits == hits + 1);
  CHECK(&f.infer("f(Float64)") != &first);
  REQUIRE(first.callees.size() == 1);
  CHECK(&f.infer("g(Int64)") == first.callees[0]); // callees are in the table themselves
}

TEST_CASE("a definition ends what called the one before, and old worlds keep it") {
  InferFixture f;
  f.load("g(x) = 1\nf(x) = g(x)\nother(x) = x\n");
  const MethodInstance &entry = f.instance("f(Int64)");
  const CodeInstance &old = f.infer("f(Int64)"), &unrelated = f.infer("other(Int64)");
  const WorldAge before = f.world.age();
  CHECK(old.end == EndOfTime);
  f.load("g(x) = 2.0\n");
  CHECK(old.end > before);
  CHECK(old.end <= f.world.age());
  CHECK(f.result("f(Int64)") == "Const(2.0)");
  CHECK(f.take(f.table.get(entry, {}, before)) == &old);
  CHECK(unrelated.end == EndOfTime);
  CHECK(&f.infer("other(Int64)") == &unrelated);
}

TEST_CASE("a new method ends only what it would have been called by") {
  InferFixture f;
  f.load("g(x) = 1\nf(x) = g(x)\n");
  const CodeInstance &code = f.infer("f(Int64)");
  f.load("g(x::String) = 2\ng(x, y) = 3\n");
  CHECK(code.end == EndOfTime);
  f.load("g(x::Integer) = 4\n"); // more specific for an Int64
  CHECK(code.end != EndOfTime);
  CHECK(f.result("f(Int64)") == "Const(4)");
}

TEST_CASE("invoke rests on the method that its types choose, not on the arguments'") {
  InferFixture f;
  f.load("g(x) = 1\nf(x) = invoke(g, Tuple{Any}, x)\n");
  const CodeInstance &code = f.infer("f(Int64)");
  f.load("g(x::Int64) = 2\n"); // invoke does not choose it
  CHECK(code.end == EndOfTime);
  CHECK(f.result("f(Int64)") == "Const(1)");
  f.load("g(x) = 3\n");
  CHECK(code.end != EndOfTime);
  CHECK(f.result("f(Int64)") == "Const(3)");
}

TEST_CASE("what is folded rests on what it was folded from") {
  InferFixture f;
  f.load("deep(n) = n + 1\nadd1(n) = deep(n)\nf() = add1(2)\n");
  CHECK(f.result("f()") == "Const(3)");
  f.load("deep(n) = n + 10\n");
  CHECK(f.result("f()") == "Const(12)");
}

TEST_CASE("a name that was not defined is looked up again when it is") {
  InferFixture f;
  f.load("f(x) = later(x)\n");
  CHECK(f.infer("f(Int64)").has_faults);
  f.load("later(x) = x + 1\n");
  const CodeInstance &code = f.infer("f(Int64)");
  CHECK_FALSE(code.has_faults);
  CHECK(to_string(code.result) == "Int64");
}

TEST_CASE("a call without a method is looked up again when there is one") {
  InferFixture f;
  f.load("g(x::String) = 1\nf(x) = g(x)\n");
  CHECK(f.infer("f(Int64)").has_faults);
  f.load("g(x::Int64) = 2\n");
  CHECK(f.result("f(Int64)") == "Const(2)");
}

TEST_CASE("recursion ends as a whole") {
  InferFixture f;
  f.load("leaf(n) = n\neven(n) = n == 0 ? leaf(1) : odd(n - 1)\nodd(n) = n == 0 ? leaf(2) : even(n - 1)\n");
  const CodeInstance &even = f.infer("even(Int64)"), &odd = f.infer("odd(Int64)");
  f.load("leaf(n) = n + 0.5\n");
  CHECK(even.end != EndOfTime);
  CHECK(odd.end != EndOfTime);
  CHECK(f.result("even(Int64)") == "Float64");
}

TEST_CASE("an overlay's methods come before the common ones, for those who name it") {
  InferFixture f;
  f.load("g(x) = 1\nf(x) = g(x)\n");
  f.load_overlay("device", "g(x) = 2.0\n");
  InferenceFacts facts;
  facts.overlay = f.types.symbol("device");
  CHECK(f.result("f(Int64)") == "Const(1)");
  CHECK(to_string(f.infer("f(Int64)", facts).result) == "Const(2.0)");
  CHECK(&f.infer("f(Int64)", facts) != &f.infer("f(Int64)"));
}

TEST_CASE("the digest of what is reached is the content's, in any world") {
  auto digest = [](const char *leaf) {
    InferFixture f;
    f.load(std::string("leaf(x) = ") + leaf + "\nf(x) = leaf(x) + 1\n");
    return f.take(f.table.callee_digest(f.infer("f(Int64)"), false));
  };
  const Fingerprint first = digest("x * 2");
  CHECK(digest("x * 2") == first);
  CHECK(digest("x * 3") != first);
}

TEST_CASE("worlds whose definitions are forgotten are refused") {
  InferFixture f;
  f.load("g(x) = 0\nf(x) = g(x)\n");
  const MethodInstance &entry = f.instance("f(Int64)");
  const WorldAge before = f.world.age();
  for (int i = 1; i <= 300; i++)
    f.load("g(x) = " + std::to_string(i) + "\n"); // a sweep is worth it from 256 on
  {
    auto use = f.table.use();
  }
  CHECK_THAT(failure(f.table.get(entry, {}, before)),
             Contains("WorldError: the job belongs to world") && Contains("are forgotten"));
  CHECK(f.result("f(Int64)") == "Const(300)");
}

// The method that code of a @generated function was made from is the expansion, which ends with the function.
// Under AddressSanitizer the second sweep met code whose method instance was gone.
TEST_CASE("code of a @generated function that was redefined is swept") {
  InferFixture f;
  f.load("@generated g(x) = sizeof(x)\nh(x) = 0\n");
  {
    const ResolvedCall call = f.take(f.frontend.resolve_call(f.world, *f.world.main(), "call", "g(Int64)"));
    const MethodMatch match = f.take(f.world.lookup_method(call.tuple, f.world.age(), {}));
    const Method &made = *f.take(f.world.expanded(*match.method, call.tuple, match.static_params));
    const MethodInstance &entry = *f.world.instance(made, call.tuple, match.static_params);
    CHECK(to_string(f.take(f.table.get(entry, {}, f.world.age()))->result) == "Const(8)");
  }
  f.load("@generated g(x) = sizeof(x) + 1\n");
  for (int sweep = 0; sweep < 3; sweep++) {
    for (int i = 1; i <= 300; i++) f.load("h(x) = " + std::to_string(i) + "\n");
    auto use = f.table.use();
  }
  CHECK(f.result("h(Int64)") == "Const(300)");
}

TEST_CASE("nothing is swept while it is used") {
  InferFixture f;
  f.load("g(x) = 0\nf(x) = g(x)\n");
  auto use = f.table.use();
  const CodeInstance &old = f.infer("f(Int64)");
  const WorldAge before = f.world.age();
  for (int i = 1; i <= 300; i++) f.load("g(x) = " + std::to_string(i) + "\n");
  {
    auto again = f.table.use();
  } // of the same thread
  CHECK(f.take(f.table.get(*old.instance, {}, before)) == &old);
}
