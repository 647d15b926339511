// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "narrowing.h"

namespace kiln {

ConditionKind condition_kind(const CodeInfo &code, const Stmt &call) {
  std::string_view name;
  Operand callee = call.args[0];
  if (callee.kind == Operand::Kind::Global) {
    name = code.globals[callee.index].name.text();
  } else if (callee.kind == Operand::Kind::Const && callee.index < code.constants.size()) {
    const Value &value = code.constants[callee.index];
    const auto *type = value.type()->as<DataType>();
    if (type && type->name().is_function) name = type->name().function_name.text();
  }
  const size_t args = call.args.size() - 1;
  if (args == 2 && name == "isa") return ConditionKind::IsA;
  if (args == 1 && name == "isnothing") return ConditionKind::IsA;
  if (args == 2 && (name == "===" || name == "!==")) return ConditionKind::Identity;
  if (args == 1 && name == "!") return ConditionKind::Not;
  return ConditionKind::None;
}

} // namespace kiln
