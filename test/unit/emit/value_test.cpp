// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <cmath>

using namespace emit_test;
using I = Intrinsic;

namespace {

/// maybe(flag, x) = flag ? x : nothing, kept a function or not
void define_maybe(Fixture &f, bool noinline) {
  f.define("maybe", {f.t.Bool, f.t.Int64},
           [](Code &c) {
             auto none = c.new_label();
             c.go_to_if_not(c.arg(1), none);
             c.return_(c.arg(2));
             c.place(none);
             c.return_(c.nothing());
           },
           {.noinline = noinline});
}

} // namespace

TEST_CASE("small unions: a tag and the payload") {
  for (bool noinline : {false, true}) {
    Fixture f;
    define_maybe(f, noinline);
    // x = maybe(a1, a2); x === nothing ? -1 : x + 1
    Fixture::Body body = [&](Code &c) {
      uint32_t x = c.add_slot(c.types.symbol("x"));
      c.set_slot(x, c.call(c.constant(f.function("maybe")), {c.arg(1), c.arg(2)}));
      auto some = c.new_label();
      c.go_to_if_not(c.op(I::egal, {Operand::slot(x), c.nothing()}), some);
      c.return_(c.i64(-1));
      c.place(some);
      c.return_(c.op(I::add_int, {Operand::slot(x), c.i64(1)}));
    };
    CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, true, int64_t(41)) == 42);
    CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, false, int64_t(41)) == -1);
    if (noinline)
      CHECK(has(f.ir({f.t.Bool, f.t.Int64}, body),
                "define internal { i8, i64 } @julia_maybe_1(i1 %0, i64 %1)"));
  }
}

TEST_CASE("a call on a union is split") {
  Fixture f;
  define_maybe(f, true);
  f.define("show", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::mul_int, {c.arg(1), c.i64(2)})); });
  f.define("show", {f.t.Nothing}, [](Code &c) { c.return_(c.i64(-7)); });
  Fixture::Body body = [&](Code &c) {
    c.return_(c.call(c.constant(f.function("show")),
                     {c.call(c.constant(f.function("maybe")), {c.arg(1), c.arg(2)})}));
  };
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, true, int64_t(4)) == 8);
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, false, int64_t(4)) == -7);
}

TEST_CASE("a case without a method is a marker in its branch only") {
  Fixture f;
  define_maybe(f, true);
  f.define("only_int", {f.t.Int64}, [](Code &c) { c.return_(c.arg(1)); });
  Fixture::Body body = [&](Code &c) {
    c.return_(c.call(c.constant(f.function("only_int")),
                     {c.call(c.constant(f.function("maybe")), {c.arg(1), c.arg(2)})}));
  };
  std::string text = f.ir({f.t.Bool, f.t.Int64}, body);
  CHECK(count(text, "call void @kiln.static_error") == 1);
  CHECK(has(text, "102\\1F"));
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, true, int64_t(4)) == 4);
}

TEST_CASE("unions of phis, isa, typeassert") {
  Fixture f;
  // x = flag ? 3 : 2.5; isa(x, Float64) ? x : sitofp(x::Int64)
  Fixture::Body body = [](Code &c) {
    uint32_t x = c.add_slot(c.types.symbol("x"));
    auto other = c.new_label(), join = c.new_label(), is_int = c.new_label();
    c.go_to_if_not(c.arg(1), other);
    c.set_slot(x, c.arg(2));
    c.go_to(join);
    c.place(other);
    c.set_slot(x, c.arg(3));
    c.go_to(join);
    c.place(join);
    c.go_to_if_not(c.op(I::isa, {Operand::slot(x), c.type(c.types.builtins().Float64)}), is_int);
    c.return_(c.op(I::typeassert, {Operand::slot(x), c.type(c.types.builtins().Float64)}));
    c.place(is_int);
    c.return_(c.op(I::sitofp, {c.type(c.types.builtins().Float64),
                               c.op(I::typeassert, {Operand::slot(x), c.type(c.types.builtins().Int64)})}));
  };
  CHECK(f.run<double>({f.t.Bool, f.t.Int64, f.t.Float64}, body, true, int64_t(3), 2.5) == 3.0);
  CHECK(f.run<double>({f.t.Bool, f.t.Int64, f.t.Float64}, body, false, int64_t(3), 2.5) == 2.5);
}

TEST_CASE("a failed typeassert throws a TypeError") {
  Fixture f;
  define_maybe(f, true);
  Fixture::Body body = [&](Code &c) {
    Operand x = c.call(c.constant(f.function("maybe")), {c.arg(1), c.arg(2)});
    c.return_(c.op(I::typeassert, {x, c.type(c.types.builtins().Int64)}));
  };
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64}, body, true, int64_t(4)) == 4);
  f.run<int64_t>({f.t.Bool, f.t.Int64}, body, false, int64_t(4));
  CHECK(f.exception.kind == uint32_t(abi::ExceptionKind::TypeError));
  CHECK(has(f.exception.name, "TypeError: in typeassert, expected Int64"));
}

TEST_CASE("tuples: made, read at constant and run-time indices, replaced") {
  Fixture f;
  for (int n : {3, 6}) {
    std::vector<TypeRef> types(size_t(n) + 1, f.t.Int64);
    auto make = [n](Code &c) {
      std::vector<Operand> elements;
      for (int i = 2; i <= n + 1; ++i) elements.push_back(c.arg(uint32_t(i)));
      return c.op(I::tuple, elements);
    };
    const Method *at = f.define(("at" + std::to_string(n)).c_str(), types,
                                [make](Code &c) { c.return_(c.op(I::getfield, {make(c), c.arg(1)})); });
    auto read = [&](int64_t i) {
      if (n == 3) return f.run<int64_t>(at, types, i, int64_t(10), int64_t(20), int64_t(30));
      return f.run<int64_t>(at, types, i, int64_t(10), int64_t(20), int64_t(30), int64_t(40), int64_t(50),
                            int64_t(60));
    };
    for (int i = 1; i <= n; ++i) CHECK(read(i) == 10 * i);
    read(0);
    CHECK(f.exception.kind == uint32_t(abi::ExceptionKind::BoundsError));
    read(n + 1);
    CHECK(f.exception.name == "BoundsError");
    CHECK(f.exception.location == "at" + std::to_string(n) + "|test.jl|1");
  }
  std::vector<TypeRef> three(3, f.t.Int64);
  auto replace = [&](int64_t index, int64_t field) {
    return f.run<int64_t>(
        three,
        [=](Code &c) {
          Operand pair = c.op(I::tuple, {c.arg(2), c.arg(3)});
          c.return_(c.op(I::getfield, {c.op(I::modifiable_copy, {pair, c.arg(1), c.i64(99)}), c.i64(field)}));
        },
        index, int64_t(1), int64_t(2));
  };
  CHECK(replace(1, 1) == 99);
  CHECK(replace(1, 2) == 2);
  CHECK(replace(2, 2) == 99);
  replace(3, 1);
  CHECK(f.exception.name == "BoundsError");
}

TEST_CASE("getfield without a bounds check") {
  Fixture f;
  std::string text = f.ir({f.t.Int64, f.t.Int64, f.t.Int64}, [](Code &c) {
    Operand pair = c.op(I::tuple, {c.arg(2), c.arg(3)});
    c.return_(c.op(I::getfield, {pair, c.arg(1), c.constant(c.types.boolean(false))}));
  });
  CHECK(!has(text, "kiln.throw"));
}

TEST_CASE("structs by value, compared by content") {
  Fixture f;
  TypeRef point = f.structure("Point", {{"x", f.t.Float64}, {"n", f.t.Int32}});
  Fixture::Body same = [point](Code &c) {
    Operand a = c.new_struct(c.type(point), {c.arg(1), c.arg(2)}),
            b = c.new_struct(c.type(point), {c.arg(3), c.arg(2)});
    c.return_(c.op(I::egal, {a, b}));
  };
  std::vector<TypeRef> types{f.t.Float64, f.t.Int32, f.t.Float64};
  CHECK(f.run<bool>(types, same, 1.0, 3, 1.0));
  CHECK(!f.run<bool>(types, same, 1.0, 3, 2.0));
  CHECK(!f.run<bool>(types, same, 0.0, 3, -0.0)); // bits, not numbers
  CHECK(f.run<bool>(types, same, std::nan(""), 3, std::nan("")));
  // As an argument, LLVM passes a structure's members like arguments of their own.
  double x = f.run<double>(
      {point}, [](Code &c) { c.return_(c.op(I::getfield, {c.arg(1), c.sym("x")})); }, 1.5, int32_t(2));
  CHECK(x == 1.5);
}

TEST_CASE("symbols and types that differ at run time keep their identity") {
  Fixture f;
  Fixture::Body body = [](Code &c) {
    uint32_t s = c.add_slot(c.types.symbol("s"));
    auto other = c.new_label(), join = c.new_label();
    c.go_to_if_not(c.arg(1), other);
    c.set_slot(s, c.sym("left"));
    c.go_to(join);
    c.place(other);
    c.set_slot(s, c.sym("right"));
    c.go_to(join);
    c.place(join);
    c.return_(c.op(I::egal, {Operand::slot(s), c.sym("left")}));
  };
  CHECK(f.run<bool>({f.t.Bool}, body, true));
  CHECK(!f.run<bool>({f.t.Bool}, body, false));
}

TEST_CASE("mutable structs live on the stack") {
  Fixture f;
  TypeRef counter = f.structure("Counter", {{"n", f.t.Int64}}, true);
  // c = Counter(a1); c.n = c.n + 1; c.n
  CHECK(f.run<int64_t>(
            {f.t.Int64},
            [counter](Code &c) {
              Operand object = c.new_struct(c.type(counter), {c.arg(1)});
              c.op(I::setfield, {object, c.sym("n"),
                                 c.op(I::add_int, {c.op(I::getfield, {object, c.sym("n")}), c.i64(1)})});
              c.return_(c.op(I::getfield, {object, c.sym("n")}));
            },
            int64_t(41)) == 42);
  SECTION("one that outlives its function is a fault") {
    f.define("leak", {f.t.Int64},
             [counter](Code &c) { c.return_(c.new_struct(c.type(counter), {c.arg(1)})); },
             {.noinline = true});
    std::string text = f.ir({f.t.Int64}, [&](Code &c) {
      c.return_(c.op(I::getfield, {c.call(c.constant(f.function("leak")), {c.arg(1)}), c.sym("n")}));
    });
    CHECK(has(text, "heap allocation of mutable struct Counter"));
  }
  SECTION("one made anew in a loop has a place, unless another knows the one before") {
    // r = first = Counter(0); while r.n < a1: r = Counter(r.n + 1); (other or r).n
    auto loop = [counter](bool known) {
      return [counter, known](Code &c) {
        uint32_t r = c.add_slot(c.types.symbol("r"));
        Operand first = c.new_struct(c.type(counter), {c.i64(0)});
        c.set_slot(r, first);
        auto head = c.new_label(), done = c.new_label();
        c.place(head);
        Operand n = c.op(I::getfield, {Operand::slot(r), c.sym("n")});
        c.go_to_if_not(c.op(I::slt_int, {n, c.arg(1)}), done);
        c.set_slot(r, c.new_struct(c.type(counter), {c.op(I::add_int, {n, c.i64(1)})}));
        c.go_to(head);
        c.place(done);
        c.return_(c.op(I::getfield, {known ? first : Operand::slot(r), c.sym("n")}));
      };
    };
    CHECK(f.run<int64_t>({f.t.Int64}, loop(false), int64_t(5)) == 5);
    CHECK(count(f.ir({f.t.Int64}, loop(true)), "call void @kiln.static_error") == 1);
  }
  SECTION("an inlined function may return one") {
    f.define("make", {f.t.Int64},
             [counter](Code &c) { c.return_(c.new_struct(c.type(counter), {c.arg(1)})); });
    Fixture::Body body = [&](Code &c) {
      c.return_(c.op(I::getfield, {c.call(c.constant(f.function("make")), {c.arg(1)}), c.sym("n")}));
    };
    CHECK(!has(f.ir({f.t.Int64}, body), "static_error"));
    CHECK(f.run<int64_t>({f.t.Int64}, body, int64_t(5)) == 5);
  }
}

TEST_CASE("ifelse chooses without a branch") {
  Fixture f;
  Fixture::Body body = [](Code &c) { c.return_(c.op(I::ifelse, {c.arg(1), c.arg(2), c.arg(3)})); };
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64, f.t.Int64}, body, true, int64_t(1), int64_t(2)) == 1);
  CHECK(has(f.ir({f.t.Bool, f.t.Int64, f.t.Int64}, body), "select i1"));
}

TEST_CASE("tuples whose elements are unions are compared part by part") {
  Fixture f;
  define_maybe(f, true);
  Fixture::Body body = [&](Code &c) {
    Operand maybe = c.call(c.constant(f.function("maybe")), {c.arg(1), c.arg(2)});
    c.return_(c.op(I::egal, {c.op(I::tuple, {maybe, c.i64(5)}), c.op(I::tuple, {c.arg(2), c.arg(3)})}));
  };
  std::vector<TypeRef> types{f.t.Bool, f.t.Int64, f.t.Int64};
  CHECK(f.run<bool>(types, body, true, int64_t(8), int64_t(5)));
  CHECK(!f.run<bool>(types, body, true, int64_t(8), int64_t(6)));
  CHECK(!f.run<bool>(types, body, false, int64_t(8), int64_t(5)));
}

TEST_CASE("run-time index into fields of different types") {
  Fixture f;
  // t = (a2, a3)[a1]::Union; isa Int64 ? it + 1 : -1
  Fixture::Body body = [](Code &c) {
    uint32_t x = c.add_slot(c.types.symbol("x"));
    c.set_slot(x, c.op(I::getfield, {c.op(I::tuple, {c.arg(2), c.arg(3)}), c.arg(1)}));
    auto other = c.new_label();
    c.go_to_if_not(c.op(I::isa, {Operand::slot(x), c.type(c.types.builtins().Int64)}), other);
    c.return_(c.op(I::add_int, {Operand::slot(x), c.i64(1)}));
    c.place(other);
    c.return_(c.i64(-1));
  };
  std::vector<TypeRef> types{f.t.Int64, f.t.Int64, f.t.Float64};
  CHECK(f.run<int64_t>(types, body, int64_t(1), int64_t(10), 2.5) == 11);
  CHECK(f.run<int64_t>(types, body, int64_t(2), int64_t(10), 2.5) == -1);
}
