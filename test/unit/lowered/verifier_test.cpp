// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace kiln;

namespace {
struct Fault {
  const char *name;
  const char *message; ///< part of it
  std::function<void(CodeInfo &)> break_;
};
} // namespace

TEST_CASE("verifier: each fault is found and named") {
  LoweredFixture t;
  CodeBuilder b = t.builder();
  uint32_t z = b.add_slot(t.types.symbol("z"));
  auto end = b.new_label();
  b.go_to_if_not(b.call(t.global(b, "<"), {Operand::slot(1), t.integer(b, 1)}), end); // 1, 2
  b.set_slot(z, b.copy(Operand::slot(1)));                                            // 3, 4
  b.return_(Operand::slot(z));                                                        // 5
  b.place(end);
  b.return_(Operand::slot(2)); // 6
  const CodeInfo good = t.finish(b);
  REQUIRE(verify(good).ok());

  const Fault faults[] = {
      {"no slot 0", "no slot for the function itself", [](CodeInfo &c) { c.nargs = 0; }},
      {"too few slots", "fewer slots than arguments", [](CodeInfo &c) { c.nargs = 9; }},
      {"vararg without argument", "collects the rest", [](CodeInfo &c) { c.nargs = 1, c.is_vararg = true; }},
      {"empty", "no statements", [](CodeInfo &c) { c.stmts.clear(); }},
      {"falls off", "falls off its end", [](CodeInfo &c) { c.stmts.push_back(c.stmts[0]); }},
      {"ends in a branch", "falls off its end",
       [](CodeInfo &c) { c.stmts[5] = c.stmts[1], c.stmts[5].target = 0; }},
      {"missing operand", "an operand is missing", [](CodeInfo &c) { c.stmts[5].args[0] = {}; }},
      {"operand count", "2 operands", [](CodeInfo &c) { c.stmts[5].args.push_back(Operand::slot(1)); }},
      {"call of nothing", "0 operands", [](CodeInfo &c) { c.stmts[0].args.clear(); }},
      {"slot range", "slot 4 of 4", [](CodeInfo &c) { c.stmts[5].args[0] = Operand::slot(4); }},
      {"assigned slot range", "slot 7 of 4", [](CodeInfo &c) { c.stmts[3].slot = 7; }},
      {"constant range", "constant 1 of 1",
       [](CodeInfo &c) { c.stmts[5].args[0] = {Operand::Kind::Const, 1}; }},
      {"global range", "global 1 of 1", [](CodeInfo &c) { c.stmts[5].args[0] = {Operand::Kind::Global, 1}; }},
      {"static parameter range", "static parameter 0 of 0",
       [](CodeInfo &c) { c.stmts[5].args[0] = Operand::static_param(0); }},
      {"use before definition", "%3 before its definition",
       [](CodeInfo &c) { c.stmts[0].args[1] = Operand::ssa(2); }},
      {"use of no value", "%4, which has no value",
       [](CodeInfo &c) { c.stmts[4].args[0] = Operand::ssa(3); }},
      {"use not dominated", "%3, which is not made on every way",
       [](CodeInfo &c) { c.stmts[5].args[0] = Operand::ssa(2); }},
      {"target range", "a jump past the end", [](CodeInfo &c) { c.stmts[1].target = 6; }},
      {"phi in slot form", "a phi or pi", [](CodeInfo &c) { c.stmts[2].op = Op::Phi; }},
      {"closure of no constant", "wrapper type of a closure",
       [](CodeInfo &c) { c.stmts[2].op = Op::NewClosure; }},
      {"global without module", "a global without a module",
       [](CodeInfo &c) { c.globals[0].module = nullptr; }},
      {"constant without value", "a constant without a value", [](CodeInfo &c) { c.constants[0] = Value(); }},
  };
  for (const Fault &fault : faults) {
    INFO(fault.name);
    CodeInfo code = good;
    fault.break_(code);
    auto result = verify(code);
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind() == ErrorKind::Usage);
    CHECK_THAT(result.error().diagnostics()[0].message, Catch::Contains(fault.message));
  }
}

TEST_CASE("verifier: unreachable code may use what it likes of what was made") {
  LoweredFixture t;
  CodeBuilder b = t.builder();
  Operand v = b.copy(Operand::slot(1));
  b.return_(v);
  b.call(v, {v});
  b.unreachable();
  CHECK(b.finish().ok());
}
