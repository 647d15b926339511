// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "typed.h"

namespace kiln {

namespace {

std::string describe_type(TypeContext &types, const Lattice &value, bool warn) {
  if (!value.type) return "";
  std::string text = to_string(value);
  bool concrete = value.constant || value.is_bottom() || types.is_concrete(value.type);
  if (warn && !concrete) // code_warntype highlights these in red
    return fmt::format("::\x1b[91m{}\x1b[0m", text);
  return "::" + text;
}

std::string operand_text(const CodeInstance &code, Operand operand) {
  if (operand.kind == Operand::Kind::StaticParam)
    return to_string(code.instance->static_params[operand.index]);
  return to_string(*code.ssa, operand);
}

} // namespace

std::string to_string(TypeContext &types, const CodeInstance &code, const SourceMap *sources, bool warn) {
  const SsaCode &ssa = *code.ssa;
  std::string out = call_to_string(code.instance->arguments->as<DataType>()->params());
  out += describe_type(types, code.result, warn) + "\n";
  if (!code.instance->static_params.empty()) {
    out += " where";
    for (size_t i = 0; i < code.instance->static_params.size(); i++)
      out += fmt::format(" {} = {}", ssa.code->static_params[i]->name().text(),
                         to_string(code.instance->static_params[i]));
    out += "\n";
  }
  std::string last_place;
  for (uint32_t b = 0; b < ssa.blocks.size(); b++) {
    const SsaBlock &block = ssa.blocks[b];
    out += fmt::format("{} block {}{}\n", b ? "├─" : "┌─", b, code.reachable[b] ? "" : ": never reached");
    if (!code.reachable[b]) continue;
    for (uint32_t i = block.begin; i < block.end; i++) {
      const Stmt &stmt = ssa.stmts[i];
      if (sources && stmt.at) {
        std::string place = sources->describe(stmt.at);
        if (place != last_place) out += fmt::format("│      # {}\n", place);
        last_place = place;
      }
      const CallInfo &info = code.calls[i];
      std::string args;
      for (size_t k = 0; k < stmt.args.size(); k++)
        args += (k ? ", " : "") + operand_text(code, stmt.args[k]);
      std::string text;
      switch (stmt.op) {
      case Op::Goto: text = fmt::format("goto block {}", block.succs[0]); break;
      case Op::GotoIfNot: text = fmt::format("goto block {} if not {}", block.succs[1], args); break;
      case Op::Return: text = "return " + args; break;
      case Op::Phi: {
        text = "φ (";
        for (size_t k = 0; k < stmt.args.size(); k++)
          text += fmt::format("{}block {} => {}", k ? ", " : "", stmt.phi_blocks[k],
                              operand_text(code, stmt.args[k]));
        text += ")";
        break;
      }
      case Op::Pi:
        text = fmt::format("π ({}, {} is {})", operand_text(code, stmt.args[0]),
                           operand_text(code, stmt.args[1]), stmt.pi_when);
        break;
      case Op::Unreachable: text = "unreachable"; break;
      default: text = to_string(ssa, stmt);
      }
      if (info.kind == CallInfo::Kind::Invoke && info.cases.size() == 1 && info.cases[0].target)
        text = fmt::format("invoke {} # {}", text,
                           call_to_string(info.cases[0].arguments->as<DataType>()->params()));
      else if (info.kind == CallInfo::Kind::Invoke)
        text = fmt::format("split {} in {}", text, info.cases.size());
      else if (info.kind == CallInfo::Kind::Fault && info.fault != ~0u)
        text = fmt::format("fault {}: {}", text, code.faults[info.fault].message);
      bool has_value = stmt.op != Op::Goto && stmt.op != Op::GotoIfNot && stmt.op != Op::Return &&
                       stmt.op != Op::Unreachable;
      if (has_value)
        out += fmt::format("│ %{:<3} = {}{}\n", i + 1, text, describe_type(types, code.types[i], warn));
      else
        out += fmt::format("│        {}\n", text);
    }
  }
  return out;
}

} // namespace kiln
