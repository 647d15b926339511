// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace kiln;

namespace {

size_t count(const SsaCode &code, Op op) {
  return size_t(
      std::count_if(code.stmts.begin(), code.stmts.end(), [&](const Stmt &s) { return s.op == op; }));
}

struct SsaFixture : LoweredFixture {
  CodeInfo code;
  SsaCode make(CodeBuilder &b) {
    code = finish(b);
    SsaCode made = ssa(code);
    INFO(to_string(made));
    CHECK(ssa_faults(made) == std::vector<std::string>{});
    return made;
  }
};

} // namespace

TEST_CASE_METHOD(SsaFixture, "ssa: straight code needs no phi, and copies are gone") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  b.set_slot(z, b.copy(Operand::slot(1)));
  b.set_slot(1, integer(b, 7)); // the copy keeps the old value
  b.return_(b.call(global(b, "+"), {Operand::slot(z), Operand::slot(1)}));
  CHECK(to_string(make(b)) == "f(x, y)\n#1\n  %1 = M.:+(x, 7)\n  return %1\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: a global read early is read early") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  b.set_slot(z, global(b, "g"));
  b.call(global(b, "h"), {});
  b.return_(Operand::slot(z));
  CHECK(to_string(make(b)) == "f(x, y)\n#1\n  %1 = M.g\n  %2 = M.h()\n  return %1\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: an if merges in one phi") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  auto otherwise = b.new_label(), end = b.new_label();
  b.go_to_if_not(b.call(global(b, "c"), {}), otherwise);
  b.set_slot(z, Operand::slot(1));
  b.go_to(end);
  b.place(otherwise);
  b.set_slot(z, Operand::slot(2));
  b.place(end);
  b.return_(Operand::slot(z));
  CHECK(to_string(make(b)) == "f(x, y)\n"
                              "#1\n  %1 = M.c()\n  goto #3 if not %1\n"
                              "#2 from #1\n  goto #4\n"
                              "#3 from #1\n  goto #4\n"
                              "#4 from #2, #3\n  %5 = phi(#2 => x, #3 => y)\n  return %5\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: a loop has a phi for what changes, none for what does not") {
  CodeBuilder b = builder({"n", "step"});
  uint32_t i = b.add_slot(types.symbol("i"));
  auto head = b.new_label(), end = b.new_label();
  b.set_slot(i, integer(b, 0));
  b.place(head);
  b.go_to_if_not(b.call(global(b, "<"), {Operand::slot(i), Operand::slot(1)}), end);
  b.set_slot(i, b.call(global(b, "+"), {Operand::slot(i), Operand::slot(2)}));
  b.go_to(head);
  b.place(end);
  b.return_(Operand::slot(i));
  CHECK(to_string(make(b)) ==
        "f(n, step)\n"
        "#1\n  goto #2\n"
        "#2 from #1, #3 (loop)\n  %2 = phi(#1 => 0, #3 => %5)\n  %3 = M.:<(%2, n)\n  goto #4 if not %3\n"
        "#3 from #2\n  %5 = M.:+(%2, step)\n  goto #2\n"
        "#4 from #2\n  return %2\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: nested loops") {
  CodeBuilder b = builder();
  uint32_t i = b.add_slot(types.symbol("i")), j = b.add_slot(types.symbol("j")),
           s = b.add_slot(types.symbol("s"));
  auto outer = b.new_label(), inner = b.new_label(), next = b.new_label(), end = b.new_label();
  b.set_slot(i, integer(b, 0));
  b.set_slot(s, integer(b, 0));
  b.place(outer);
  b.go_to_if_not(b.call(global(b, "<"), {Operand::slot(i), Operand::slot(1)}), end);
  b.set_slot(j, integer(b, 0));
  b.place(inner);
  b.go_to_if_not(b.call(global(b, "<"), {Operand::slot(j), Operand::slot(2)}), next);
  b.set_slot(s, b.call(global(b, "+"), {Operand::slot(s), Operand::slot(j)}));
  b.set_slot(j, b.call(global(b, "+"), {Operand::slot(j), integer(b, 1)}));
  b.go_to(inner);
  b.place(next);
  b.set_slot(i, b.call(global(b, "+"), {Operand::slot(i), integer(b, 1)}));
  b.go_to(outer);
  b.place(end);
  b.return_(Operand::slot(s));
  SsaCode made = make(b);
  INFO(to_string(made));
  CHECK(count(made, Op::Phi) == 4); // i and s outside, j and s inside
  CHECK(std::count_if(made.blocks.begin(), made.blocks.end(), [](auto &x) { return x.is_loop_header; }) == 2);
}

TEST_CASE_METHOD(SsaFixture, "ssa: a jump to the first statement gets an entry of its own") {
  CodeBuilder b = builder();
  auto head = b.new_label();
  b.place(head);
  b.set_slot(1, b.call(global(b, "next"), {Operand::slot(1)}));
  b.go_to_if_not(Operand::slot(1), head);
  b.return_(Operand::slot(1));
  SsaCode made = make(b);
  CHECK(made.blocks[0].preds.empty());
  CHECK(made.blocks[1].is_loop_header);
  CHECK(count(made, Op::Phi) == 1);
}

TEST_CASE_METHOD(SsaFixture, "ssa: a variable that is unassigned on one way is checked once before its use") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  auto end = b.new_label();
  b.go_to_if_not(b.call(global(b, "c"), {}), end);
  b.set_slot(z, Operand::slot(1));
  b.place(end);
  b.call(global(b, "use"), {Operand::slot(z)});
  b.return_(Operand::slot(z)); // checked above
  CHECK(to_string(make(b)) == "f(x, y)\n"
                              "#1\n  %1 = M.c()\n  goto #3 if not %1\n"
                              "#2 from #1\n  goto #3\n"
                              "#3 from #1, #2\n"
                              "  %4 = phi(#1 => false, #2 => true)\n"
                              "  %5 = phi(#1 => #undef, #2 => x)\n"
                              "  %6 = throw_undef_var(%4, :z)\n"
                              "  %7 = M.use(%5)\n"
                              "  return %5\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: a variable that is never assigned") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  b.return_(Operand::slot(z));
  CHECK(to_string(make(b)) == "f(x, y)\n#1\n  %1 = throw_undef_var(false, :z)\n  return #undef\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: @isdefined is a constant or a phi of constants") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  auto end = b.new_label();
  Operand before = b.is_defined(z);
  b.call(global(b, "use"), {before, b.is_defined(1)});
  b.go_to_if_not(b.call(global(b, "c"), {}), end);
  b.set_slot(z, Operand::slot(1));
  b.call(global(b, "use"), {b.is_defined(z)});
  b.place(end);
  Operand after = b.is_defined(z);
  b.set_slot(z, Operand::slot(2));
  b.return_(after);
  CHECK(to_string(make(b)) == "f(x, y)\n"
                              "#1\n  %1 = M.use(false, true)\n  %2 = M.c()\n  goto #3 if not %2\n"
                              "#2 from #1\n  %4 = M.use(true)\n  goto #3\n"
                              "#3 from #1, #2\n  %6 = phi(#1 => false, #2 => true)\n  return %6\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: isa narrows both ways, and the join keeps what each arm knew") {
  CodeBuilder b = builder();
  auto otherwise = b.new_label(), end = b.new_label();
  b.go_to_if_not(b.call(global(b, "isa"), {Operand::slot(1), global(b, "Int64")}), otherwise);
  b.call(global(b, "a"), {Operand::slot(1)});
  b.go_to(end);
  b.place(otherwise);
  b.call(global(b, "b"), {Operand::slot(1)});
  b.place(end);
  b.return_(Operand::slot(1));
  CHECK(to_string(make(b)) == "f(x, y)\n"
                              "#1\n  %1 = M.isa(x, M.Int64)\n  goto #3 if not %1\n"
                              "#2 from #1\n  %3 = pi(x, %1)\n  %4 = M.a(%3)\n  goto #4\n"
                              "#3 from #1\n  %6 = pi(x, not %1)\n  %7 = M.b(%6)\n  goto #4\n"
                              "#4 from #2, #3\n  %9 = phi(#2 => %3, #3 => %6)\n  return %9\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: a critical edge is split where a pi needs it, and only there") {
  for (bool used : {true, false}) {
    CodeBuilder b = builder();
    auto end = b.new_label();
    b.go_to_if_not(b.call(global(b, "==="), {Operand::slot(1), global(b, "nothing")}), end);
    b.set_slot(1, Operand::slot(2));
    b.place(end);
    b.return_(used ? Operand::slot(1) : Operand::slot(2));
    SsaCode made = make(b);
    CHECK(made.blocks.size() == (used ? 4u : 3u));
    CHECK(count(made, Op::Pi) == (used ? 1 : 0));
  }
}

TEST_CASE_METHOD(SsaFixture, "ssa: negation, a builtin as a constant, a condition kept in a variable") {
  Value isa = Value::singleton(types.new_function_type(types.symbol("isa"), "Core"));
  CodeBuilder b = builder();
  uint32_t c = b.add_slot(types.symbol("c"));
  auto otherwise = b.new_label();
  b.set_slot(c, b.call(b.constant(isa), {Operand::slot(1), global(b, "Int64")}));
  b.go_to_if_not(b.call(global(b, "!"), {Operand::slot(c)}), otherwise);
  b.return_(Operand::slot(1));
  b.place(otherwise);
  b.return_(Operand::slot(1));
  CHECK(to_string(make(b)) == "f(x, y)\n"
                              "#1\n  %1 = isa(x, M.Int64)\n  %2 = M.:!(%1)\n  goto #3 if not %2\n"
                              "#2 from #1\n  %4 = pi(x, not %1)\n  return %4\n"
                              "#3 from #1\n  %6 = pi(x, %1)\n  return %6\n");
}

TEST_CASE_METHOD(SsaFixture, "ssa: no pi if the variable was assigned after the condition read it") {
  CodeBuilder b = builder();
  auto otherwise = b.new_label();
  Operand condition = b.call(global(b, "isnothing"), {Operand::slot(1)});
  b.set_slot(1, Operand::slot(2));
  b.go_to_if_not(condition, otherwise);
  b.return_(Operand::slot(1));
  b.place(otherwise);
  b.return_(Operand::slot(1));
  CHECK(count(make(b), Op::Pi) == 0);
}

TEST_CASE_METHOD(SsaFixture, "ssa: x === y narrows both") {
  CodeBuilder b = builder();
  auto otherwise = b.new_label();
  b.go_to_if_not(b.call(global(b, "!=="), {Operand::slot(1), Operand::slot(2)}), otherwise);
  b.return_(integer(b, 0));
  b.place(otherwise);
  b.return_(b.call(global(b, "g"), {Operand::slot(1), Operand::slot(2)}));
  SsaCode made = make(b);
  CHECK(count(made, Op::Pi) == 2);
  for (const Stmt &stmt : made.stmts)
    if (stmt.op == Op::Pi) CHECK_FALSE(stmt.pi_when);
}

TEST_CASE_METHOD(SsaFixture, "ssa: a branch both ways to one place keeps its edges apart") {
  CodeBuilder b = builder();
  auto end = b.new_label();
  b.go_to_if_not(Operand::slot(1), end);
  b.place(end);
  b.return_(Operand::slot(2));
  CHECK(make(b).blocks.size() == 3);
}

TEST_CASE_METHOD(SsaFixture, "ssa: deep chains of joins take no deep recursion") {
  CodeBuilder b = builder();
  uint32_t z = b.add_slot(types.symbol("z"));
  b.set_slot(z, integer(b, 0));
  for (int i = 0; i < 20000; ++i) {
    auto end = b.new_label();
    b.go_to_if_not(Operand::slot(1), end);
    b.call(global(b, "g"), {});
    b.place(end);
  }
  b.return_(Operand::slot(z));
  code = finish(b);
  SsaCode made = ssa(code);
  CHECK(count(made, Op::Phi) == 0);
}

TEST_CASE_METHOD(SsaFixture,
                 "ssa: with a join rule each value that meets has a copy at the end of an edge of its own") {
  auto build = [&](bool with_rule) {
    CodeBuilder b = builder();
    if (with_rule) b.code().hints.join = std::make_shared<JoinRule>();
    uint32_t z = b.add_slot(types.symbol("z"));
    auto end = b.new_label();
    b.set_slot(z, Operand::slot(1));
    b.go_to_if_not(b.call(global(b, "c"), {}), end); // the edge to `end` is critical
    b.set_slot(z, Operand::slot(2));
    b.place(end);
    b.return_(Operand::slot(z));
    return make(b);
  };
  const SsaCode plain = build(false);
  CHECK(plain.blocks.size() == 3);
  CHECK(count(plain, Op::Copy) == 0);
  const SsaCode joined = build(true);
  CHECK(joined.blocks.size() == 4);
  std::vector<Operand> values;
  for (uint32_t i = 0; i < joined.stmts.size(); i++)
    if (joined.stmts[i].op == Op::Phi)
      for (size_t k = 0; k < joined.stmts[i].args.size(); k++) {
        const Operand arg = joined.stmts[i].args[k];
        REQUIRE(arg.kind == Operand::Kind::Ssa);
        const Stmt &copy = joined.stmts[arg.index];
        CHECK(copy.op == Op::Copy);
        CHECK(copy.flags & flags::Joined);
        CHECK(joined.block_of[arg.index] == joined.stmts[i].phi_blocks[k]);
        CHECK(joined.blocks[joined.stmts[i].phi_blocks[k]].succs ==
              std::vector<uint32_t>{joined.block_of[i]});
        values.push_back(copy.args[0]);
      }
  std::ranges::sort(values, {}, &Operand::index);
  CHECK(values == std::vector<Operand>{Operand::slot(1), Operand::slot(2)});
}

TEST_CASE_METHOD(SsaFixture,
                 "ssa: declarations stand at the statements, assignments, phis and results they are of") {
  CodeBuilder b = builder();
  const TypeRef integer_type = types.builtins().Int64, real = types.builtins().Float64;
  uint32_t z = b.add_slot(types.symbol("z"));
  auto end = b.new_label();
  b.declare(Operand::slot(z), integer_type);
  b.declare_result(real);
  b.set_slot(z, Operand::slot(1));
  Operand condition = b.declare(b.call(global(b, "c"), {}), types.builtins().Bool);
  b.declare_method(condition, types.tuple({integer_type}));
  b.go_to_if_not(condition, end);
  b.set_slot(z, Operand::slot(2));
  b.place(end);
  b.return_(Operand::slot(z));
  const SsaCode made = make(b);
  REQUIRE(made.declarations.size() == made.stmts.size());
  for (uint32_t i = 0; i < made.stmts.size(); i++) {
    const SsaDeclaration &declared = made.declarations[i];
    const Op op = made.stmts[i].op;
    INFO(to_string(made, made.stmts[i]));
    const bool is_variable = op == Op::Copy || op == Op::Phi;
    CHECK(declared.slot == (is_variable ? z : SsaDeclaration::no_slot));
    CHECK(declared.type == (is_variable        ? integer_type
                            : op == Op::Call   ? types.builtins().Bool
                            : op == Op::Return ? real
                                               : nullptr));
    CHECK((declared.method != nullptr) == (op == Op::Call));
  }
  CHECK(count(made, Op::Copy) == 2);
  CHECK(count(made, Op::Phi) == 1);
}
