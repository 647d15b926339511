// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace kiln;

TEST_CASE("builder: statements, tables and labels") {
  LoweredFixture t;
  CodeBuilder b = t.builder();
  Operand plus = t.global(b, "+");
  Operand one = t.integer(b, 1);
  CHECK(t.integer(b, 1) == one);
  CHECK(t.global(b, "+") == plus);
  CHECK(b.constant(t.types.int32(1)) != one); // 1 === Int32(1) is false
  uint32_t z = b.add_slot(t.types.symbol("z"));
  CHECK(z == 3);
  auto end = b.new_label();
  CHECK_FALSE(b.terminated());
  Operand less = b.call(t.global(b, "<"), {Operand::slot(1), one});
  b.go_to_if_not(less, end);
  CHECK_FALSE(b.terminated());
  b.set_slot(z, b.call(plus, {Operand::slot(1), one}));
  b.return_(Operand::slot(z));
  CHECK(b.terminated());
  b.place(end);
  CHECK_FALSE(b.terminated());
  b.return_(Operand::slot(2));
  CodeInfo code = t.finish(b);
  REQUIRE(code.stmts.size() == 6);
  CHECK(code.stmts[1].op == Op::GotoIfNot);
  CHECK(code.stmts[1].target == 5);
  CHECK(code.nargs == 3);
  CHECK(to_string(code) == "f(x, y)\n"
                           " 1  %1 = M.:<(x, 1)\n"
                           " 2  goto 6 if not %1\n"
                           " 3  %3 = M.:+(x, 1)\n"
                           " 4  z = %3\n"
                           " 5  return z\n"
                           " 6  return y\n");
}

TEST_CASE("printing: places where the line changes, hints of calls, vararg") {
  LoweredFixture t;
  SourceMap sources;
  auto file = sources.add("a.jl", "one\ntwo\n");
  CodeBuilder b = t.builder({"x", "rest"});
  b.code().is_vararg = true;
  b.set_span({file->id(), 0, 3});
  b.set_flags(flags::Inbounds);
  Operand v = b.call(t.global(b, "getindex"), {Operand::slot(1)});
  b.set_flags(0);
  b.call(t.global(b, "g"), {b.bounds_check()});
  b.set_span({file->id(), 4, 7});
  b.return_(v);
  CodeInfo code = t.finish(b);
  CHECK(to_string(code, &sources) == "f(x, rest...)\n"
                                     " 1  %1 = M.getindex(x) @inbounds  # a.jl:1\n"
                                     " 2  %2 = @boundscheck\n"
                                     " 3  %3 = M.g(%2)\n"
                                     " 4  return %1  # a.jl:2\n");
}

TEST_CASE("builder: a label that is never placed is the frontend's fault") {
  LoweredFixture t;
  CodeBuilder b = t.builder();
  b.go_to(b.new_label());
  auto code = b.finish();
  REQUIRE_FALSE(code.ok());
  CHECK(code.error().kind() == ErrorKind::Usage);
}

TEST_CASE("builder: everything that is wrong is told at once, each at its place") {
  LoweredFixture t;
  SourceMap sources;
  auto file = sources.add("a.lang", "one\ntwo\nthree\nfour\nfive\n");
  CodeBuilder b = t.builder();
  auto at = [&](uint32_t begin) { b.set_span({file->id(), begin, begin + 3}); };
  auto label = b.new_label();
  b.add_slot(t.types.symbol("s"));
  at(0);
  b.add_argument(t.types.symbol("late"));
  at(4);
  b.call(Operand::ssa(17), {Operand::slot(99)}); // two faults
  at(8);
  b.go_to(b.new_label());
  at(14);
  b.place(label);
  b.place(label);
  b.call({}, {});
  at(19);
  b.set_slot(77, Operand::slot(0)); // and control falls off the end
  auto code = b.finish(&sources);
  REQUIRE_FALSE(code.ok());
  CHECK(code.error().kind() == ErrorKind::Usage);
  const auto &all = code.error().diagnostics();
  std::vector<std::pair<uint32_t, std::string>> expected = {{1, "adds the argument late"},
                                                            {4, "places a label twice"},
                                                            {2, "uses %18 before"},
                                                            {2, "slot 99 of"},
                                                            {3, "never placed"},
                                                            {4, "operand is missing"},
                                                            {5, "slot 77 of"},
                                                            {5, "falls off its end"}};
  REQUIRE(all.size() == expected.size());
  for (size_t i = 0; i < all.size(); i++) {
    CHECK(all[i].at.line() == expected[i].first);
    CHECK_THAT(all[i].message, Catch::Matchers::Contains(expected[i].second));
  }
}

TEST_CASE("digest: what is said counts, where it stands does not") {
  auto make = [](LoweredFixture &t, Span at, int64_t constant, const char *callee, bool is_inline) {
    CodeBuilder b = t.builder();
    b.set_span(at);
    b.code().hints.inline_ = is_inline;
    b.return_(b.call(t.global(b, callee), {Operand::slot(1), t.integer(b, constant)}));
    return t.finish(b).digest(t.types);
  };
  LoweredFixture t, other;
  Fingerprint base = make(t, {1, 5, 6}, 1, "+", false);
  CHECK(base == make(t, {2, 50, 60}, 1, "+", false));
  CHECK(base == make(other, {}, 1, "+", false)); // another process would agree
  CHECK(base != make(t, {1, 5, 6}, 2, "+", false));
  CHECK(base != make(t, {1, 5, 6}, 1, "-", false));
  CHECK(base != make(t, {1, 5, 6}, 1, "+", true));
}

TEST_CASE("intrinsics: bound names and their table") {
  CHECK(bound_name(Intrinsic::egal) == "===");
  CHECK(bound_name(Intrinsic::subtype) == "<:");
  CHECK(bound_name(Intrinsic::setfield) == "setfield!");
  CHECK(bound_name(Intrinsic::throw_) == "throw");
  CHECK(bound_name(Intrinsic::add_int) == "add_int");
  CHECK(info(Intrinsic::pointer_store).rule == TypeRule::Nothing);
  CHECK(info(Intrinsic::pointer_store).effects == effects::Writes);
  CHECK(info(Intrinsic::tuple).max_args == -1);
  for (size_t i = 0; i < size_t(Intrinsic::Count); ++i) {
    const IntrinsicInfo &each = info(Intrinsic(i));
    CHECK((each.max_args == -1 || each.min_args <= each.max_args));
  }
}

TEST_CASE("a constant or a global that stands twice is kept once, however many there are") {
  TypeContext types;
  Module module(types.symbol("M"), nullptr);
  CodeBuilder code(types, types.symbol("f"), {});
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < 1000; i++) {
      CHECK(code.constant(types.int64(int64_t(i) * 4096)) == Operand{Operand::Kind::Const, i});
      CHECK(code.global(&module, types.symbol("g" + std::to_string(i))) == Operand{Operand::Kind::Global, i});
    }
  CHECK(code.code().constants.size() == 1000);
  CHECK(code.code().globals.size() == 1000);
}
