// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowered.h"

#include "ssa.h"

#include <support/exceptions.h>

namespace kiln {

namespace {

bool is_identifier(std::string_view name) {
  if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
  for (unsigned char c : name)
    if (!(c == '_' || c == '!' || c == '@' || c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
          (c >= 'a' && c <= 'z')))
      return false;
  return name[0] != '!';
}

std::string global_to_string(const GlobalName &global) {
  std::string_view name = global.name.text();
  return fmt::format("{}.{}{}", global.module->full_name(), is_identifier(name) ? "" : ":", name);
}

/// Prints operands and statements of lowered code, or of its SSA form if `ssa` is set. `language`: prints
/// values and calls in the session's language, for messages. Null: prints as Julia's code_lowered does.
struct CodeText {
  const CodeInfo &code;
  const SsaCode *ssa = nullptr;
  const Printer *language = nullptr;

  std::string operand(Operand operand) const {
    switch (operand.kind) {
    case Operand::Kind::None: return "#undef";
    case Operand::Kind::Ssa: return fmt::format("%{}", operand.index + 1);
    case Operand::Kind::Slot: return std::string(code.slot_names[operand.index].text());
    case Operand::Kind::StaticParam: return std::string(code.static_params[operand.index]->name().text());
    case Operand::Kind::Const: {
      const Value &value = ssa ? ssa->constant(operand.index) : code.constants[operand.index];
      return language ? language->value(value) : to_string(value);
    }
    case Operand::Kind::Global:
      return language ? code.globals[operand.index].name.str()
                      : global_to_string(code.globals[operand.index]);
    }
    return "?";
  }

  std::string list(std::span<const Operand> args, size_t from) const {
    std::string text;
    for (size_t i = from; i < args.size(); ++i) text += (i > from ? ", " : "") + operand(args[i]);
    return text;
  }

  std::string operation(const Stmt &stmt) const {
    std::vector<std::string> operands;
    for (size_t i = 1; i < stmt.args.size(); ++i) operands.push_back(operand(stmt.args[i]));
    return language->operation(operand(stmt.args[0]), operands);
  }

  std::string target(uint32_t target) const { return fmt::format("{}{}", ssa ? "#" : "", target + 1); }

  std::string statement(const Stmt &stmt) const {
    switch (stmt.op) {
    case Op::Copy: return operand(stmt.args[0]);
    case Op::Call: {
      if (language) return operation(stmt);
      std::string text = fmt::format("{}({})", operand(stmt.args[0]), list(stmt.args, 1));
      if (stmt.flags & flags::Inbounds) text += " @inbounds";
      if (stmt.flags & flags::Inline) text += " @inline";
      if (stmt.flags & flags::NoInline) text += " @noinline";
      return text;
    }
    case Op::New: return fmt::format("%new({})", list(stmt.args, 0));
    case Op::NewClosure: return fmt::format("%new_closure({})", list(stmt.args, 0));
    case Op::SetSlot:
      return fmt::format("{} = {}", code.slot_names[stmt.slot].text(),
                         stmt.args.empty() ? "..." : operand(stmt.args[0]));
    case Op::IsDefined: return fmt::format("@isdefined({})", code.slot_names[stmt.slot].text());
    case Op::BoundsCheck: return "@boundscheck";
    case Op::Goto: return "goto " + target(stmt.target);
    case Op::GotoIfNot: return fmt::format("goto {} if not {}", target(stmt.target), operand(stmt.args[0]));
    case Op::Return: return "return " + operand(stmt.args[0]);
    case Op::Unreachable: return "unreachable";
    case Op::HostOnly: return fmt::format("@host_only({})", operand(stmt.args[1]));
    case Op::Enter: return "enter, errors to " + target(stmt.target);
    case Op::Leave: return "leave";
    case Op::Exception: return "@exception";
    case Op::Cell:
      return fmt::format("{}({})",
                         stmt.flags & flags::ByValue     ? "@captured"
                         : stmt.flags & flags::Unchanged ? "@unchanged"
                         : stmt.flags & flags::Outer     ? "@outer"
                                                         : "@cell",
                         stmt.args.empty() ? code.slot_names[stmt.slot].text() : operand(stmt.args[0]));
    case Op::Fresh: return fmt::format("@fresh({})", code.slot_names[stmt.slot].text());
    case Op::Phi: {
      std::string text = "phi(";
      for (size_t i = 0; i < stmt.args.size(); ++i)
        text += fmt::format("{}#{} => {}", i ? ", " : "", stmt.phi_blocks[i] + 1, operand(stmt.args[i]));
      return text + ")";
    }
    case Op::Pi:
      return fmt::format("pi({}, {}{})", operand(stmt.args[0]), stmt.pi_when ? "" : "not ",
                         operand(stmt.args[1]));
    }
    return "?";
  }

  /// Text of a statement: "%3 = Base.:+(x, 1)", or without "%3 =" if it has no value.
  std::string line(uint32_t index, const Stmt &stmt) const {
    switch (stmt.op) {
    case Op::SetSlot:
    case Op::Goto:
    case Op::GotoIfNot:
    case Op::Return:
    case Op::HostOnly:
    case Op::Enter:
    case Op::Leave:
    case Op::Fresh:
    case Op::Unreachable: return statement(stmt);
    default: return fmt::format("%{} = {}", index + 1, statement(stmt));
    }
  }

  std::string header() const {
    std::string text = fmt::format("{}(", code.name.text());
    for (uint32_t i = 1; i < code.nargs; ++i)
      text += fmt::format("{}{}{}", i > 1 ? ", " : "", code.slot_names[i].text(),
                          code.is_vararg && i + 1 == code.nargs ? "..." : "");
    text += ")";
    for (size_t i = 0; i < code.static_params.size(); ++i)
      text += fmt::format("{}{}", i ? ", " : " where {", code.static_params[i]->name().text());
    return text + (code.static_params.empty() ? "\n" : "}\n");
  }
};

} // namespace

std::string to_string(const CodeInfo &code, Operand operand) { return CodeText{code}.operand(operand); }

std::string to_string(const CodeInfo &code, const Stmt &stmt) { return CodeText{code}.statement(stmt); }

std::string to_string(const SsaCode &code, Operand operand) {
  return CodeText{*code.code, &code}.operand(operand);
}

std::string spell(const TypeContext &types, const SsaCode &code, const Stmt &stmt) {
  const CodeText julia{*code.code, &code}, spelled{*code.code, &code, types.printer()};
  if (!types.printer()) return julia.statement(stmt);
  auto text = call_embedder("the printer of a language",
                            [&]() -> Result<std::string> { return spelled.statement(stmt); });
  return text.ok() ? std::move(*text) : julia.statement(stmt);
}

std::string to_string(const SsaCode &code, const Stmt &stmt) {
  return CodeText{*code.code, &code}.statement(stmt);
}

std::string to_string(const CodeInfo &code, const SourceMap *sources) {
  const CodeText printer{code};
  std::string text = printer.header(), last_place;
  size_t width = std::to_string(code.stmts.size()).size();
  for (uint32_t i = 0; i < code.stmts.size(); ++i) {
    text += fmt::format("{:>{}}  {}", i + 1, width + 1, printer.line(i, code.stmts[i]));
    if (sources && code.stmts[i].at) {
      std::string place = sources->describe(code.stmts[i].at);
      if (place != last_place) text += "  # " + place;
      last_place = std::move(place);
    }
    text += "\n";
  }
  return text;
}

std::string to_string(const SsaCode &code) {
  const CodeText printer{*code.code, &code};
  std::string text = printer.header();
  for (uint32_t b = 0; b < code.blocks.size(); ++b) {
    const SsaBlock &block = code.blocks[b];
    text += fmt::format("#{}", b + 1);
    for (size_t i = 0; i < block.preds.size(); ++i)
      text += fmt::format("{}#{}", i ? ", " : " from ", block.preds[i] + 1);
    text += block.is_loop_header ? " (loop)\n" : "\n";
    for (uint32_t i = block.begin; i < block.end; ++i) text += "  " + printer.line(i, code.stmts[i]) + "\n";
  }
  return text;
}

} // namespace kiln
