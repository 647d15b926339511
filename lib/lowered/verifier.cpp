// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verifier.h"

#include "cfg.h"
#include "lowered.h"

namespace kiln {

namespace {

bool yields_value(Op op) {
  switch (op) {
  case Op::Copy:
  case Op::Call:
  case Op::New:
  case Op::NewClosure:
  case Op::IsDefined:
  case Op::BoundsCheck: return true;
  default: return false;
  }
}

class Verifier {
public:
  explicit Verifier(const CodeInfo &code) : code_(code) {}

  Result<void> run() {
    if (code_.nargs == 0 || code_.nargs > code_.slot_names.size())
      return fault("has no slot for the function itself, or fewer slots than arguments");
    if (code_.is_vararg && code_.nargs < 2)
      return fault("collects the rest of its arguments but has no argument to do so");
    if (code_.stmts.empty()) return fault("has no statements");
    for (const GlobalName &global : code_.globals)
      if (!global.module || !global.name) return fault("has a global without a module or a name");
    for (const Value &value : code_.constants)
      if (!value) return fault("has a constant without a value");
    for (uint32_t i = 0; i < code_.stmts.size(); ++i) KILN_CHECK(statement(i));
    const Stmt &last = code_.stmts.back();
    if (!is_terminator(last.op) || last.op == Op::GotoIfNot) return fault("falls off its end");
    return dominance();
  }

private:
  Error fault(std::string what) const {
    return internal_error(fmt::format("lowered code of {} {}", code_.name ? code_.name.text() : "?", what));
  }
  Error fault_at(uint32_t index, std::string what) const {
    return fault(fmt::format("is wrong at statement {}: {}", index + 1, what));
  }

  Result<void> statement(uint32_t index) {
    const Stmt &stmt = code_.stmts[index];
    size_t least = 0, most = 0;
    switch (stmt.op) {
    case Op::Copy:
    case Op::SetSlot:
    case Op::GotoIfNot:
    case Op::Return: least = most = 1; break;
    case Op::Call:
    case Op::New:
    case Op::NewClosure: least = 1, most = SIZE_MAX; break;
    case Op::IsDefined:
    case Op::BoundsCheck:
    case Op::Goto:
    case Op::Unreachable: break;
    case Op::Phi:
    case Op::Pi: return fault_at(index, "a phi or pi stands in slot form");
    }
    if (stmt.args.size() < least || stmt.args.size() > most)
      return fault_at(index, fmt::format("{} operands", stmt.args.size()));
    if (stmt.op == Op::NewClosure && stmt.args[0].kind != Operand::Kind::Const)
      return fault_at(index, "the wrapper type of a closure is no constant");
    if ((stmt.op == Op::SetSlot || stmt.op == Op::IsDefined) && stmt.slot >= code_.slot_names.size())
      return fault_at(index, fmt::format("slot {} of {}", stmt.slot, code_.slot_names.size()));
    if ((stmt.op == Op::Goto || stmt.op == Op::GotoIfNot) && stmt.target >= code_.stmts.size())
      return fault_at(index, "a jump past the end");
    for (Operand operand : stmt.args) KILN_CHECK(check(index, operand));
    return {};
  }

  Result<void> check(uint32_t index, Operand operand) const {
    size_t limit = 0;
    const char *what = nullptr;
    switch (operand.kind) {
    case Operand::Kind::None: return fault_at(index, "an operand is missing");
    case Operand::Kind::Ssa:
      if (operand.index >= index)
        return fault_at(index, fmt::format("it uses %{} before its definition", operand.index + 1));
      if (!yields_value(code_.stmts[operand.index].op))
        return fault_at(index, fmt::format("it uses %{}, which has no value", operand.index + 1));
      return {};
    case Operand::Kind::Slot: limit = code_.slot_names.size(), what = "slot"; break;
    case Operand::Kind::StaticParam: limit = code_.static_params.size(), what = "static parameter"; break;
    case Operand::Kind::Const: limit = code_.constants.size(), what = "constant"; break;
    case Operand::Kind::Global: limit = code_.globals.size(), what = "global"; break;
    }
    if (operand.index >= limit)
      return fault_at(index, fmt::format("{} {} of {}", what, operand.index, limit));
    return {};
  }

  /// A value used in another block must have been made on every way there.
  Result<void> dominance() const {
    FlowGraph graph = flow_graph(code_);
    std::vector<uint32_t> idom;
    for (uint32_t i = 0; i < code_.stmts.size(); ++i) {
      uint32_t use = graph.block_of[i];
      if (use == NoBlock) continue;
      for (Operand operand : code_.stmts[i].args) {
        if (operand.kind != Operand::Kind::Ssa || graph.block_of[operand.index] == use) continue;
        if (idom.empty()) {
          std::vector<std::vector<uint32_t>> preds;
          for (const FlowBlock &block : graph.blocks) preds.push_back(block.preds);
          idom = immediate_dominators(preds);
        }
        uint32_t definition = graph.block_of[operand.index];
        if (definition == NoBlock || !dominates(idom, definition, use))
          return fault_at(
              i, fmt::format("it uses %{}, which is not made on every way there", operand.index + 1));
      }
    }
    return {};
  }

  const CodeInfo &code_;
};

} // namespace

Result<void> verify(const CodeInfo &code) { return Verifier(code).run(); }

} // namespace kiln
