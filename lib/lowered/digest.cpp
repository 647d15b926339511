// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowered.h"

namespace kiln {

/// Digest of the code without source positions. Each list is preceded by its length. Slot names are included,
/// since UndefVarError and debug information show them.
Fingerprint CodeInfo::digest(TypeContext &types) const {
  Fingerprinter f;
  f.add(name.text());
  f.add(slot_names.size());
  for (Symbol slot : slot_names) f.add(slot.text());
  f.add(nargs).add(is_vararg);
  f.add(static_params.size());
  for (const TypeVar *var : static_params) {
    f.add(var->name().text());
    types.digest(f, var->lower());
    types.digest(f, var->upper());
  }
  f.add(constants.size());
  for (const Value &value : constants) types.digest(f, value);
  f.add(globals.size());
  for (const GlobalName &global : globals) f.add(global.module->full_name()).add(global.name.text());
  f.add(stmts.size());
  for (const Stmt &stmt : stmts) {
    f.add(stmt.op).add(stmt.flags).add(stmt.slot).add(stmt.target).add(stmt.args.size());
    for (Operand operand : stmt.args) f.add(operand.kind).add(operand.index);
  }
  f.add(hints.inline_).add(hints.noinline).add(hints.propagate_inbounds).add(hints.aggressive_constprop);
  if (hints.join) { // its version identifies the rule's results
    f.add("join").add(hints.join->name).add(hints.join->version);
    if (hints.join->convert) types.digest(f, hints.join->convert);
  }
  if (hints.typed) f.add("typed");
  auto add_type = [&](TypeRef type) {
    f.add(type != nullptr);
    if (type) types.digest(f, type);
  };
  if (has_declarations()) {
    f.add(declarations.size());
    for (const Declaration &declaration : declarations) {
      add_type(declaration.type);
      add_type(declaration.method);
    }
    f.add(slot_types.size());
    for (TypeRef type : slot_types) add_type(type);
    add_type(result_type);
  }
  return f.finish();
}

} // namespace kiln
