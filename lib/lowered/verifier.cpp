// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "verifier.h"

#include "cfg.h"
#include "lowered.h"

#include <algorithm>

namespace kiln {

namespace {

bool yields_value(Op op) {
  switch (op) {
  case Op::Copy:
  case Op::Call:
  case Op::New:
  case Op::NewClosure:
  case Op::IsDefined:
  case Op::BoundsCheck:
  case Op::Exception:
  case Op::Cell: return true;
  default: return false;
  }
}

class Verifier {
public:
  explicit Verifier(const CodeInfo &code) : code_(code) {}

  std::vector<CodeFault> run() {
    if (code_.nargs == 0 || code_.nargs > code_.slot_names.size())
      fault("has no slot for the function itself, or fewer slots than arguments");
    if (code_.is_vararg && code_.nargs < 2)
      fault("collects the rest of its arguments but has no argument to do so");
    for (const GlobalName &global : code_.globals)
      if (!global.module || !global.name) fault("has a global without a module or a name");
    for (const Value &value : code_.constants)
      if (!value) fault("has a constant without a value");
    if (code_.stmts.empty()) {
      fault("has no statements");
      return std::move(faults_);
    }
    for (uint32_t i = 0; i < code_.stmts.size(); ++i) statement(i);
    declarations();
    const Stmt &last = code_.stmts.back();
    if (!is_terminator(last.op) || last.op == Op::GotoIfNot)
      faults_.push_back({uint32_t(code_.stmts.size()), last.at, "falls off its end"});
    if (faults_.empty()) dominance(); // requires valid jump targets
    return std::move(faults_);
  }

private:
  void fault(std::string what) { faults_.push_back({0, code_.at, std::move(what)}); }
  void fault_at(uint32_t index, std::string_view what) {
    const Span at = code_.stmts[index].at;
    faults_.push_back(
        {index + 1, at ? at : code_.at, fmt::format("is wrong at statement {}: {}", index + 1, what)});
  }

  void statement(uint32_t index) {
    const Stmt &stmt = code_.stmts[index];
    size_t min_args = 0, max_args = 0;
    switch (stmt.op) {
    case Op::Copy:
    case Op::SetSlot:
    case Op::GotoIfNot:
    case Op::Return: min_args = max_args = 1; break;
    case Op::Call:
    case Op::New:
    case Op::NewClosure: min_args = 1, max_args = SIZE_MAX; break;
    case Op::IsDefined:
    case Op::BoundsCheck:
    case Op::Goto:
    case Op::Unreachable:
    case Op::Enter:
    case Op::Leave:
    case Op::Exception:
    case Op::Cell:
    case Op::Fresh: break;
    case Op::HostOnly: min_args = max_args = 2; break;
    case Op::Phi:
    case Op::Pi: return fault_at(index, "a phi or pi stands in slot form");
    }
    if (stmt.args.size() < min_args || stmt.args.size() > max_args)
      return fault_at(index, fmt::format("{} operands", stmt.args.size()));
    if (stmt.op == Op::NewClosure && stmt.args[0].kind != Operand::Kind::Const)
      fault_at(index, "the wrapper type of a closure is no constant");
    if ((stmt.op == Op::SetSlot || stmt.op == Op::IsDefined || stmt.op == Op::Cell || stmt.op == Op::Fresh) &&
        stmt.slot >= code_.slot_names.size())
      fault_at(index, fmt::format("slot {} of {}", stmt.slot, code_.slot_names.size()));
    if (stmt.op == Op::Goto || stmt.op == Op::GotoIfNot || stmt.op == Op::Enter) {
      if (stmt.target == unplaced_label)
        fault_at(index, "a jump to a label that was never placed");
      else if (stmt.target >= code_.stmts.size())
        fault_at(index, "a jump past the end");
    }
    for (Operand operand : stmt.args) check(index, operand);
  }

  void declarations() {
    if (code_.declarations.size() > code_.stmts.size())
      fault(fmt::format("declares types of {} statements of {}", code_.declarations.size(),
                        code_.stmts.size()));
    if (code_.slot_types.size() > code_.slot_names.size())
      fault(fmt::format("declares types of {} variables of {}", code_.slot_types.size(),
                        code_.slot_names.size()));
    if (!code_.hints.typed) return;
    if (code_.hints.join)
      fault(fmt::format("is typed, and has the join rule `{}`, which converts: typed code converts itself",
                        code_.hints.join->name));
    for (uint32_t i = 0; i < code_.stmts.size(); ++i) {
      const Stmt &stmt = code_.stmts[i];
      const bool is_typed = i < code_.declarations.size() && code_.declarations[i].type;
      if (yields_value(stmt.op) && stmt.op != Op::IsDefined && stmt.op != Op::BoundsCheck && !is_typed)
        fault_at(i, "it is typed code, and the type of the result is not declared");
      if (stmt.op == Op::SetSlot && stmt.slot < code_.slot_names.size() &&
          (stmt.slot >= code_.slot_types.size() || !code_.slot_types[stmt.slot]))
        fault_at(i, fmt::format("it is typed code, and the type of the variable {} is not declared",
                                code_.slot_names[stmt.slot].text()));
    }
  }

  void check(uint32_t index, Operand operand) {
    size_t limit = 0;
    const char *what = nullptr;
    switch (operand.kind) {
    case Operand::Kind::None: return fault_at(index, "an operand is missing");
    case Operand::Kind::Ssa:
      if (operand.index >= index)
        fault_at(index, fmt::format("it uses %{} before its definition", operand.index + 1));
      else if (!yields_value(code_.stmts[operand.index].op))
        fault_at(index, fmt::format("it uses %{}, which has no value", operand.index + 1));
      return;
    case Operand::Kind::Slot: limit = code_.slot_names.size(), what = "slot"; break;
    case Operand::Kind::StaticParam: limit = code_.static_params.size(), what = "static parameter"; break;
    case Operand::Kind::Const: limit = code_.constants.size(), what = "constant"; break;
    case Operand::Kind::Global: limit = code_.globals.size(), what = "global"; break;
    default: return fault_at(index, fmt::format("operand kind {}", unsigned(operand.kind)));
    }
    if (operand.index >= limit) fault_at(index, fmt::format("{} {} of {}", what, operand.index, limit));
  }

  /// Checks that a value used in another block is computed on every path to its use.
  void dominance() {
    // Without jumps there is one path, in statement order, which is checked elsewhere.
    if (std::ranges::none_of(
            code_.stmts, [](const Stmt &stmt) { return stmt.op == Op::Goto || stmt.op == Op::GotoIfNot; }))
      return;
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
          fault_at(i, fmt::format("it uses %{}, which is not made on every way there", operand.index + 1));
      }
    }
  }

  const CodeInfo &code_;
  std::vector<CodeFault> faults_;
};

} // namespace

std::vector<CodeFault> code_faults(const CodeInfo &code) { return Verifier(code).run(); }

Error code_error(Symbol name, std::span<const CodeFault> faults, const SourceMap *sources) {
  std::vector<Diagnostic> diagnostics;
  for (const CodeFault &fault : faults)
    diagnostics.push_back(
        {.code = ErrorCode::InvalidCode,
         .message = fmt::format("lowered code of {} {}", name ? name.text() : "?", fault.what),
         .at = sources ? sources->locate(fault.at) : Location()});
  return Error(std::move(diagnostics));
}

Result<void> verify(const CodeInfo &code, const SourceMap *sources) {
  const std::vector<CodeFault> faults = code_faults(code);
  if (faults.empty()) return {};
  return code_error(code.name, faults, sources);
}

} // namespace kiln
