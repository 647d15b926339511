// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random control flow, run in slot form and in SSA form by two small interpreters: same calls with the same
// arguments in the same order, same outcome.
#include "fixture.h"

#include <random>

using namespace kiln;

namespace {

using Number = std::optional<int64_t>; // no value: undefined

struct Trace {
  std::vector<std::string> calls;
  std::string outcome;
};

/// What calls do: any fixed function of name and arguments will do, if conditions are sometimes both.
int64_t result_of_call(std::string_view name, const std::vector<int64_t> &args) {
  if (name == "isa" || name == "===" || name == "isnothing")
    return (args[0] * 7 + (args.size() > 1 ? args[1] : 3)) % 3 != 0;
  if (name == "!") return args[0] == 0;
  int64_t sum = int64_t(name.size());
  for (int64_t arg : args) sum = (sum * 31 + arg) % 1009;
  return sum;
}

constexpr size_t max_calls = 200;

struct Machine {
  const CodeInfo &code;
  std::vector<Number> slots;
  Trace trace;

  std::string callee(Operand operand) const { return std::string(code.globals[operand.index].name.text()); }
  int64_t call(const std::string &name, const std::vector<int64_t> &args) {
    trace.calls.push_back(fmt::format("{}({})", name, fmt::join(args, ",")));
    return result_of_call(name, args);
  }
  bool out_of_calls() {
    if (trace.calls.size() < max_calls) return false;
    trace.outcome = "too long";
    return true;
  }
};

Trace run_slots(const CodeInfo &code, int64_t x, int64_t y) {
  Machine m{code, std::vector<Number>(code.slot_names.size()), {}};
  m.slots[0] = 0, m.slots[1] = x, m.slots[2] = y;
  std::vector<int64_t> values(code.stmts.size());
  for (size_t at = 0, steps = 0;; ++steps) {
    const Stmt &stmt = code.stmts[at];
    if (steps > 20000 || m.out_of_calls()) {
      m.trace.outcome = "too long";
      return m.trace;
    }
    std::vector<int64_t> args;
    for (size_t i = stmt.op == Op::Call ? 1 : 0; i < stmt.args.size(); ++i) {
      Operand operand = stmt.args[i];
      Number value;
      if (operand.kind == Operand::Kind::Ssa)
        value = values[operand.index];
      else if (operand.kind == Operand::Kind::Slot)
        value = m.slots[operand.index];
      else
        value = int64_t(code.constants[operand.index].low_bits());
      if (!value) {
        m.trace.outcome = "undefined " + std::string(code.slot_names[operand.index].text());
        return m.trace;
      }
      args.push_back(*value);
    }
    size_t next = at + 1;
    switch (stmt.op) {
    case Op::Copy: values[at] = args[0]; break;
    case Op::Call: values[at] = m.call(m.callee(stmt.args[0]), args); break;
    case Op::SetSlot: m.slots[stmt.slot] = args[0]; break;
    case Op::IsDefined: values[at] = m.slots[stmt.slot].has_value(); break;
    case Op::Goto: next = stmt.target; break;
    case Op::GotoIfNot: next = args[0] != 0 ? next : stmt.target; break;
    case Op::Return: m.trace.outcome = fmt::format("{}", args[0]); return m.trace;
    default: m.trace.outcome = "unexpected statement"; return m.trace;
    }
    at = next;
  }
}

Trace run_ssa(const SsaCode &code, int64_t x, int64_t y) {
  Machine m{*code.code, {}, {}};
  const int64_t arguments[] = {0, x, y};
  std::vector<Number> values(code.stmts.size());
  auto read = [&](Operand operand) -> Number {
    switch (operand.kind) {
    case Operand::Kind::Ssa: return values[operand.index];
    case Operand::Kind::Slot: return arguments[operand.index];
    case Operand::Kind::Const: {
      const Value &value = code.constant(operand.index);
      return value.is_primitive() ? Number(int64_t(value.low_bits())) : Number();
    }
    default: return {};
    }
  };
  uint32_t block = 0, from = 0;
  for (size_t steps = 0;; ++steps) {
    if (steps > 20000) {
      m.trace.outcome = "too long";
      return m.trace;
    }
    const SsaBlock &here = code.blocks[block];
    std::vector<std::pair<uint32_t, Number>> merged;
    uint32_t i = here.begin;
    for (; i < here.end && code.stmts[i].op == Op::Phi; ++i) {
      const Stmt &phi = code.stmts[i];
      size_t k =
          size_t(std::find(phi.phi_blocks.begin(), phi.phi_blocks.end(), from) - phi.phi_blocks.begin());
      merged.emplace_back(i, read(phi.args[k]));
    }
    for (auto &[at, value] : merged) values[at] = value;
    uint32_t next = block;
    for (; i < here.end; ++i) {
      const Stmt &stmt = code.stmts[i];
      if (m.out_of_calls()) return m.trace;
      if (stmt.op == Op::Call && stmt.args[0].kind == Operand::Kind::Const) { // throw_undef_var
        Number holds = read(stmt.args[1]);
        if (!holds) {
          m.trace.outcome = "a check of nothing";
          return m.trace;
        }
        if (!*holds) {
          m.trace.outcome = "undefined " + std::string(code.constant(stmt.args[2].index).as_symbol().text());
          return m.trace;
        }
        continue;
      }
      std::vector<int64_t> args;
      for (size_t k = stmt.op == Op::Call ? 1 : 0; k < stmt.args.size(); ++k) {
        Number value = read(stmt.args[k]);
        if (!value) {
          m.trace.outcome = fmt::format("%{} reads an undefined value", i + 1);
          return m.trace;
        }
        args.push_back(*value);
      }
      switch (stmt.op) {
      case Op::Copy: values[i] = args[0]; break;
      case Op::Pi:
        values[i] = args[0];
        if ((args[1] != 0) != stmt.pi_when) {
          m.trace.outcome = fmt::format("%{} is a pi on the wrong way", i + 1);
          return m.trace;
        }
        break;
      case Op::Call: values[i] = m.call(m.callee(stmt.args[0]), args); break;
      case Op::Goto: next = here.succs[0]; break;
      case Op::GotoIfNot: next = args[0] != 0 ? here.succs[0] : here.succs[1]; break;
      case Op::Return: m.trace.outcome = fmt::format("{}", args[0]); return m.trace;
      default: m.trace.outcome = "unexpected statement"; return m.trace;
      }
    }
    from = block;
    block = next;
  }
}

struct Generator {
  LoweredFixture &t;
  std::mt19937 random;
  size_t below(size_t n) { return random() % n; }

  CodeInfo make() {
    CodeBuilder b = t.builder();
    const size_t slots = 3 + 1 + below(5), labels = 1 + below(7), length = 10 + below(50);
    for (size_t i = 3; i < slots; ++i) b.add_slot(t.types.symbol(std::string(1, char('p' + i))));
    std::vector<CodeBuilder::Label> all;
    for (size_t i = 0; i < labels; ++i) all.push_back(b.new_label());
    std::vector<Operand> everywhere, local; // values made before any label or branch; since the last one
    size_t placed = 0;
    bool branched = false;
    if (below(8) == 0) b.place(all[placed++]);
    auto operand = [&]() -> Operand {
      size_t choice = below(10);
      if (choice < 2 && !local.empty()) return local[below(local.size())];
      if (choice < 3 && !everywhere.empty()) return everywhere[below(everywhere.size())];
      if (choice < 4) return t.integer(b, int64_t(below(20)));
      return Operand::slot(uint32_t(1 + below(slots - 1)));
    };
    auto condition = [&]() -> Operand {
      Operand c;
      switch (below(4)) {
      case 0: return operand();
      case 1: c = b.call(t.global(b, "isa"), {operand(), t.integer(b, 5)}); break;
      case 2: c = b.call(t.global(b, "==="), {operand(), operand()}); break;
      default: c = b.call(t.global(b, "isnothing"), {operand()}); break;
      }
      if (below(3) == 0) c = b.call(t.global(b, "!"), {c});
      return c;
    };
    for (size_t i = 0; i < length; ++i) {
      if (placed < labels && below(length / labels + 1) == 0) {
        b.place(all[placed++]);
        local.clear();
      }
      Operand made;
      switch (below(12)) {
      case 0:
      case 1:
      case 2:
      case 3: b.set_slot(uint32_t(1 + below(slots - 1)), operand()); break;
      case 4: made = b.call(t.global(b, "g"), {operand(), operand()}); break;
      case 5: made = b.call(t.global(b, "observe"), {operand()}); break;
      case 6: made = b.copy(operand()); break;
      case 7: made = b.is_defined(uint32_t(1 + below(slots - 1))); break;
      case 8:
      case 9:
      case 10: b.go_to_if_not(condition(), all[below(labels)]), branched = true; break;
      default:
        if (below(4) == 0)
          b.return_(operand());
        else
          b.go_to(all[below(labels)]);
        if (placed < labels) b.place(all[placed++]);
        local.clear();
      }
      if (made) {
        local.push_back(made);
        if (placed == 0 && !branched) everywhere.push_back(made);
      }
    }
    while (placed < labels) b.place(all[placed++]);
    b.return_(operand().kind == Operand::Kind::Const ? Operand::slot(1) : Operand::slot(uint32_t(slots - 1)));
    return t.finish(b);
  }
};

} // namespace

TEST_CASE("ssa: random control flow means the same in slot form and SSA form") {
  LoweredFixture t;
  size_t finished = 0, pis = 0, phis = 0, undefined = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    Generator generator{t, std::mt19937(seed)};
    CodeInfo code = generator.make();
    SsaCode ssa = t.ssa(code);
    auto faults = ssa_faults(ssa);
    if (!faults.empty()) FAIL("seed " << seed << "\n" << to_string(code) << to_string(ssa) << faults[0]);
    for (const Stmt &stmt : ssa.stmts) {
      pis += stmt.op == Op::Pi;
      phis += stmt.op == Op::Phi;
    }
    for (int64_t x : {0, 1, 5}) {
      Trace expected = run_slots(code, x, x * 3 + 1), got = run_ssa(ssa, x, x * 3 + 1);
      if (expected.calls != got.calls || expected.outcome != got.outcome)
        FAIL("seed " << seed << ", x = " << x << ": " << expected.outcome << " is " << got.outcome << "\n"
                     << to_string(code) << to_string(ssa));
      finished += expected.outcome != "too long";
      undefined += expected.outcome.starts_with("undefined");
    }
  }
  // The generator makes what the test is about.
  CHECK(finished > 2000);
  CHECK(undefined > 300);
  CHECK(pis > 1000);
  CHECK(phis > 1000);
}
