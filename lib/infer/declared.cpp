// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks declared types (CodeBuilder::declare) against inferred types, and reports all differences together.
// Skips unreachable code: inference has no results for it, and it is not emitted.
#include "inference.h"

namespace kiln {

void Inference::check_declarations(const CodeInstance &code, std::vector<Diagnostic> &wrong) {
  const SsaCode &ssa = *code.ssa;
  const std::string where = spell_call(code.instance->arguments->as<DataType>()->params());
  // A declaration holds for all calls. An instance for constant arguments may have a more precise type.
  auto agrees = [&](TypeRef declared, const Lattice &found) {
    const TypeRef type = found.dispatch_type(types_);
    return declared == found.type || declared == type ||
           (code.has_constants && is_subtype(types_, type, declared));
  };
  auto report = [&](uint32_t index, ErrorCode code, std::string message, std::string hint = {}) {
    wrong.push_back({.code = code,
                     .message = fmt::format("in {}, {}", where, message),
                     .at = world_.sources().locate(ssa.stmts[index].at),
                     .hint = std::move(hint)});
  };
  auto report_fault = [&](uint32_t index, uint32_t fault) {
    if (fault >= code.faults.size()) return false; // an operand's fault, reported at the operand
    const InferenceFault &found = code.faults[fault];
    report(index, found.code, found.message, found.hint);
    return true;
  };
  for (uint32_t index = 0; index < ssa.stmts.size(); index++) {
    const Lattice &found = code.types[index];
    const SsaDeclaration &declared = ssa.declarations[index];
    if (!code.reachable[ssa.block_of[index]] || !found.type) continue;
    const CallInfo &info = code.calls[index];
    const bool is_faulty = info.kind == CallInfo::Kind::Fault;
    if (code.code->hints.typed) {
      if (is_faulty) report_fault(index, info.fault);
      for (const CallCase &way : info.cases)
        if (!is_faulty && !way.target) report_fault(index, way.fault);
    }
    if (is_faulty || found.poison) continue;
    const Stmt &stmt = ssa.stmts[index];
    // A phi of a local variable needs no check, since each assignment is checked. An argument has no
    // assignment.
    const bool follows = stmt.op == Op::Phi && declared.slot >= code.code->nargs;
    if (declared.type && !follows && !agrees(declared.type, found)) {
      const std::string is = spell(declared.type), gives = spell(found.dispatch_type(types_));
      if (stmt.op == Op::Return)
        report(index, ErrorCode::TypeError, fmt::format("the result is declared {}, and is {}", is, gives));
      else if (declared.slot != SsaDeclaration::no_slot)
        report(index, ErrorCode::TypeError,
               fmt::format("the variable {} is declared {}, and {} {}",
                           code.code->slot_names[declared.slot].text(), is,
                           stmt.op == Op::Phi ? "holds, where several ways meet," : "gets a value of type",
                           gives));
      else
        report(index, ErrorCode::TypeError,
               fmt::format("{} is declared {}, and gives {}", spell(types_, ssa, stmt), is, gives));
    }
    if (declared.method) {
      const bool reaches = info.cases.size() == 1 && info.cases[0].target &&
                           info.cases[0].target->instance->method->signature == declared.method;
      if (!reaches && !(info.cases.size() == 1 && !info.cases[0].target)) {
        std::string reached;
        for (const CallCase &way : info.cases)
          if (way.target)
            reached +=
                (reached.empty() ? "" : " or ") + spell_signature(way.target->instance->method->signature);
        report(index, ErrorCode::MethodError,
               fmt::format("{} is declared to reach {}, and reaches {}", spell(types_, ssa, stmt),
                           spell_signature(declared.method), reached.empty() ? "no method" : reached));
      }
    }
  }
}

} // namespace kiln
