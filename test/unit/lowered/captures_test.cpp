// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

namespace captures_test {

using namespace kiln;

namespace {

/// Builds s = 1; closure over s; and what `after` adds, in a loop if `loops`.
struct Capture {
  LoweredFixture t;
  CodeBuilder b = t.builder({});
  uint32_t s = b.add_slot(t.types.symbol("s"));
  Operand wrapper = b.constant(t.types.nothing());

  Operand close(uint8_t flags = 0) { return b.new_closure(wrapper, {b.cell(s, flags)}); }
  uint8_t flags_of_cell() {
    b.return_(b.constant(t.types.nothing()));
    const CodeInfo code = t.finish(b);
    for (const Stmt &stmt : code.stmts)
      if (stmt.op == Op::Cell) return stmt.flags;
    FAIL("there is no Cell");
    return 0;
  }
};

} // namespace

TEST_CASE("captures: by value where no assignment follows") {
  Capture c;
  c.b.set_slot(c.s, c.t.integer(c.b, 1));
  c.b.call(c.wrapper, {c.close()});
  CHECK(c.flags_of_cell() == flags::ByValue);
}

TEST_CASE("captures: an assignment after the closure, or before it round a loop") {
  Capture after;
  after.b.set_slot(after.s, after.t.integer(after.b, 1));
  after.b.call(after.wrapper, {after.close()});
  after.b.set_slot(after.s, after.t.integer(after.b, 2));
  CHECK(after.flags_of_cell() == 0);
  for (bool fresh : {false, true}) {
    Capture c;
    auto head = c.b.new_label(), end = c.b.new_label();
    c.b.place(head);
    c.b.go_to_if_not(c.b.bounds_check(), end);
    if (fresh) c.b.fresh(c.s);
    c.b.set_slot(c.s, c.t.integer(c.b, 1));
    c.b.call(c.wrapper, {c.close()});
    c.b.go_to(head);
    c.b.place(end);
    CHECK(c.flags_of_cell() == (fresh ? flags::ByValue : 0));
  }
}

TEST_CASE("captures: a variable that may be unassigned, or that a closure assigns") {
  Capture unassigned;
  auto end = unassigned.b.new_label();
  unassigned.b.go_to_if_not(unassigned.b.bounds_check(), end);
  unassigned.b.set_slot(unassigned.s, unassigned.t.integer(unassigned.b, 1));
  unassigned.b.place(end);
  unassigned.b.call(unassigned.wrapper, {unassigned.close()});
  CHECK(unassigned.flags_of_cell() == flags::Unchanged);
  Capture inside;
  inside.b.set_slot(inside.s, inside.t.integer(inside.b, 1));
  inside.b.call(inside.wrapper, {inside.close(flags::AssignedInside)});
  CHECK(inside.flags_of_cell() == flags::AssignedInside);
}

TEST_CASE("captures: a handler may assign what the protected code captured") {
  Capture c;
  auto caught = c.b.new_label(), end = c.b.new_label();
  c.b.set_slot(c.s, c.t.integer(c.b, 1));
  c.b.enter(caught, 0);
  c.b.call(c.wrapper, {c.close()});
  c.b.leave();
  c.b.go_to(end);
  c.b.place(caught);
  c.b.set_slot(c.s, c.t.integer(c.b, 2));
  c.b.place(end);
  CHECK(c.flags_of_cell() == 0);
}

TEST_CASE("captures: a closure in a local is made anew where it is used") {
  Capture c;
  const uint32_t h = c.b.add_slot(c.t.types.symbol("h"));
  c.b.set_slot(c.s, c.t.integer(c.b, 1));
  c.b.set_slot(h, c.close());
  c.b.set_slot(c.s, c.t.integer(c.b, 5));
  c.b.return_(c.b.call(Operand::slot(h), {}));
  const CodeInfo code = c.t.finish(c.b);
  const SsaCode ssa = c.t.ssa(code);
  CHECK(ssa.shares_variables);
  size_t closures = 0;
  for (const Stmt &stmt : ssa.stmts) {
    if (stmt.op == Op::NewClosure) ++closures;
    if (stmt.op == Op::Cell) CHECK(ssa.constant(stmt.args[0].index).low_bits() == 5);
  }
  CHECK(closures == 1);
}

} // namespace captures_test
