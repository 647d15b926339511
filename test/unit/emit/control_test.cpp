// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <chrono>

using namespace emit_test;
using I = Intrinsic;

namespace {

/// i = 0; s = 0; while i < n: i += 1; s += i; return s
void sum_to(Code &c) {
  uint32_t i = c.add_slot(c.types.symbol("i")), s = c.add_slot(c.types.symbol("s"));
  c.set_slot(i, c.i64(0));
  c.set_slot(s, c.i64(0));
  auto head = c.new_label(), done = c.new_label();
  c.place(head);
  c.go_to_if_not(c.op(I::slt_int, {Operand::slot(i), c.arg(1)}), done);
  c.set_slot(i, c.op(I::add_int, {Operand::slot(i), c.i64(1)}));
  c.set_slot(s, c.op(I::add_int, {Operand::slot(s), Operand::slot(i)}));
  c.go_to(head);
  c.place(done);
  c.return_(Operand::slot(s));
}

/// if a1: yes else no
void choice(Code &c, Operand condition, std::function<Operand()> yes, std::function<Operand()> no) {
  auto other = c.new_label();
  c.go_to_if_not(condition, other);
  c.return_(yes());
  c.place(other);
  c.return_(no());
}

} // namespace

TEST_CASE("a loop becomes phis") {
  Fixture f;
  const Method *m = f.define("sum_to", {f.t.Int64}, sum_to);
  CHECK(f.run<int64_t>(m, {f.t.Int64}, int64_t(10)) == 55);
  CHECK(f.run<int64_t>(m, {f.t.Int64}, int64_t(0)) == 0);
  std::string text = f.ir(m, {f.t.Int64});
  CHECK(count(text, " = phi ") == 2);
  CHECK(!has(text, "alloca"));
}

TEST_CASE("swapping in a loop keeps the old values") {
  Fixture f;
  // a, b = 0, 1; n times: a, b = b, a + b; fibonacci
  CHECK(f.run<int64_t>(
            {f.t.Int64},
            [](Code &c) {
              uint32_t a = c.add_slot(c.types.symbol("a")), b = c.add_slot(c.types.symbol("b")),
                       i = c.add_slot(c.types.symbol("i"));
              c.set_slot(a, c.i64(0));
              c.set_slot(b, c.i64(1));
              c.set_slot(i, c.i64(0));
              auto head = c.new_label(), done = c.new_label();
              c.place(head);
              c.go_to_if_not(c.op(I::slt_int, {Operand::slot(i), c.arg(1)}), done);
              Operand old_a = c.copy(Operand::slot(a)), old_b = c.copy(Operand::slot(b));
              c.set_slot(a, old_b);
              c.set_slot(b, c.op(I::add_int, {old_a, old_b}));
              c.set_slot(i, c.op(I::add_int, {Operand::slot(i), c.i64(1)}));
              c.go_to(head);
              c.place(done);
              c.return_(Operand::slot(a));
            },
            int64_t(20)) == 6765);
}

TEST_CASE("a small callee leaves no trace of its own") {
  Fixture f;
  f.define("add", {f.t.Int64, f.t.Int64}, [](Code &c) { c.return_(c.op(I::add_int, {c.arg(1), c.arg(2)})); });
  std::string text = f.ir(
      {f.t.Int64}, [&](Code &c) { c.return_(c.call(c.constant(f.function("add")), {c.arg(1), c.i64(2)})); });
  CHECK(has(text, "add i64 %a1, 2"));
  CHECK(count(text, "define ") == 1);
  CHECK(!has(text, "br "));
  CHECK(has(text, "inlinedAt:"));
}

TEST_CASE("a callee with two returns is joined by a phi") {
  Fixture f;
  f.define("pick", {f.t.Bool, f.t.Int64, f.t.Int64},
           [](Code &c) { choice(c, c.arg(1), [&] { return c.arg(2); }, [&] { return c.arg(3); }); });
  Fixture::Body body = [&](Code &c) {
    Operand picked = c.call(c.constant(f.function("pick")), {c.arg(1), c.arg(2), c.arg(3)});
    c.return_(c.op(I::add_int, {picked, c.i64(1)}));
  };
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64, f.t.Int64}, body, true, int64_t(5), int64_t(7)) == 6);
  CHECK(f.run<int64_t>({f.t.Bool, f.t.Int64, f.t.Int64}, body, false, int64_t(5), int64_t(7)) == 8);
}

TEST_CASE("noinline makes a function, numbered by first use") {
  Fixture f;
  f.define("twice!", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::add_int, {c.arg(1), c.arg(1)})); },
           {.noinline = true});
  Fixture::Body body = [&](Code &c) {
    Operand g = c.constant(f.function("twice!"));
    c.return_(c.call(g, {c.call(g, {c.arg(1)})}));
  };
  std::string text = f.ir({f.t.Int64}, body);
  CHECK(has(text, "define internal i64 @julia_twice__1(i64 %0)"));
  CHECK(count(text, "call i64 @julia_twice__1") == 2);
  CHECK(has(text, "noinline"));
  CHECK(f.run<int64_t>({f.t.Int64}, body, int64_t(3)) == 12);
}

TEST_CASE("call-site @inline and @noinline win over the method's") {
  Fixture f;
  f.define("never", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::neg_int, {c.arg(1)})); },
           {.noinline = true});
  f.define("always", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::neg_int, {c.arg(1)})); },
           {.inline_ = true});
  auto call = [&](const char *name, uint8_t flags) {
    return f.ir({f.t.Int64}, [&, name, flags](Code &c) {
      c.set_flags(flags);
      c.return_(c.call(c.constant(f.function(name)), {c.arg(1)}));
    });
  };
  CHECK(!has(call("never", flags::Inline), "@julia_"));
  CHECK(has(call("always", flags::NoInline), "@julia_always_1"));
}

TEST_CASE("recursion calls a function") {
  Fixture f;
  const Method *m = f.define("fact", {f.t.Int64}, [&](Code &c) {
    choice(
        c, c.op(I::slt_int, {c.arg(1), c.i64(2)}), [&] { return c.i64(1); },
        [&] {
          Operand less = c.op(I::sub_int, {c.arg(1), c.i64(1)});
          return c.op(I::mul_int, {c.arg(1), c.call(c.constant(f.function("fact")), {less})});
        });
  });
  CHECK(f.run<int64_t>(m, {f.t.Int64}, int64_t(10)) == 3628800);
}

TEST_CASE("bounds checks: off in what an @inbounds call inlines, on otherwise") {
  Fixture f;
  auto body = [](Code &c) {
    choice(c, c.bounds_check(), [&] { return c.i64(1); }, [&] { return c.i64(0); });
  };
  f.define("checks", {}, body);
  f.define("passes_on", {}, [&](Code &c) { c.return_(c.call(c.constant(f.function("checks")), {})); });
  f.define("forwards", {}, body, {.propagate_inbounds = true});
  f.define("calls_forwards", {}, [&](Code &c) { c.return_(c.call(c.constant(f.function("forwards")), {})); });
  f.define("hands_on", {}, [&](Code &c) { c.return_(c.call(c.constant(f.function("checks")), {})); },
           {.propagate_inbounds = true});
  f.define("kept", {}, body, {.noinline = true});
  auto call = [&](const char *name, uint8_t flags) {
    return f.run<int64_t>({}, [&, name, flags](Code &c) {
      c.set_flags(flags);
      c.return_(c.call(c.constant(f.function(name)), {}));
    });
  };
  CHECK(call("checks", 0) == 1);
  CHECK(call("checks", flags::Inbounds) == 0);
  CHECK(call("passes_on", flags::Inbounds) == 1); // only what propagates passes it on
  CHECK(call("calls_forwards", flags::Inbounds) ==
        1); // its own call is not @inbounds, and it does not propagate
  CHECK(call("hands_on", flags::Inbounds) == 0);
  CHECK(call("hands_on", 0) == 1);
  CHECK(call("kept", flags::Inbounds) == 1); // a function of its own
  std::string text = f.ir({}, [&](Code &c) {
    c.set_flags(flags::Inbounds);
    c.return_(c.call(c.constant(f.function("checks")), {}));
  });
  CHECK(!has(text, "br ")); // the check itself is gone
}

TEST_CASE("a loop back to the first statement") {
  Fixture f;
  // while true: if a1 == load(p) return; a call-free endless loop otherwise
  std::string text = f.ir({f.t.Int64}, [&](Code &c) {
    auto head = c.new_label(), out = c.new_label();
    c.place(head);
    c.go_to_if_not(c.op(I::slt_int, {c.i64(0), c.arg(1)}), out);
    c.go_to(head);
    c.place(out);
    c.return_(c.i64(1));
  });
  CHECK(has(text, "ret i64 1"));
}

TEST_CASE("emission of forty small calls takes microseconds", "[.benchmark]") {
  Fixture f;
  std::string last = "step0";
  f.define("step0", {f.t.Int64}, [](Code &c) { c.return_(c.op(I::add_int, {c.arg(1), c.i64(1)})); });
  const Method *m = f.define("many", {f.t.Int64}, [&](Code &c) {
    Operand x = c.arg(1);
    for (int i = 0; i < 40; ++i) x = c.call(c.constant(f.function("step0")), {x});
    c.return_(x);
  });
  f.take(f.emit_method(m, {f.t.Int64}, Fixture::plain()));
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 1000; ++i) {
    llvm::LLVMContext fresh;
    f.take(f.emit_method(m, {f.t.Int64}, Fixture::plain()));
  }
  auto each =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / 1000;
  WARN("microseconds: " << each);
}
