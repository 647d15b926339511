// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "definitions.h"

#include "define.h"

namespace kiln::julia {

Result<Value> Definitions::interpret(const Module &module, const Syntax &node) {
  KILN_TRY(CodeInfo code, lower_expression(shared_from_this(), module, node));
  return interpreter.run(code, module);
}

Result<void> Definitions::define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) {
  LoadReport report;
  KILN_CHECK(Definer(std::static_pointer_cast<Definitions>(shared_from_this()), std::move(unit), report, {})
                 .file(into, code));
  if (report.unresolved.empty()) return {};
  return Error(std::move(report.unresolved.front()));
}

Result<void> Definitions::define_macro(MacroDefinition &macro) {
  if (macro.defined) return {};
  KILN_CHECK(add_macro_library(*this));
  MethodSource source;
  source.shared = shared_from_this();
  source.module = macro.module;
  KILN_TRY(source.signature, signature(*macro.node->args[0]));
  // Implicit arguments of Julia's macros.
  Parameter source_of, module_of;
  source_of.name = symbol("__source__");
  module_of.name = symbol("__module__");
  source.signature.positional.insert(source.signature.positional.begin(), {source_of, module_of});
  source.name = symbol("@" + std::string(source.signature.callee->name.text()));
  source.signature.at = macro.node->at;
  source.body = macro.node->args[1];
  source.unit = macro.unit;
  KILN_TRY(const Method *made, define_method(std::move(source), macro.function.type(), {}, {}));
  (void)made;
  macro.defined = true;
  return {};
}

bool Definitions::is_first_mention(Symbol package) {
  std::lock_guard lock(mutex_);
  return unknown_packages_.insert(package).second;
}

void Definitions::add_host(const Module &, Symbol name, HostDefinition host) {
  std::lock_guard lock(mutex_);
  hosts_[name].push_back(std::move(host));
}

std::vector<HostDefinition> Definitions::hosts(const Module &module, Symbol name) const {
  std::lock_guard lock(mutex_);
  std::vector<HostDefinition> found;
  if (auto it = hosts_.find(name); it != hosts_.end())
    for (size_t i = it->second.size(); i-- > 0;)
      if (it->second[i].module == &module) found.push_back(it->second[i]);
  return found;
}

Result<void> Definitions::load_host_library() {
  if (!has_host && bind_host) {
    KILN_CHECK(bind_host());
    KILN_CHECK(load_program_library());
  }
  return has_host ? add_macro_library(*this) : Result<void>();
}

Result<void> Definitions::load_named(const NameWatch &seen) { return library.load_for(seen.found()); }

Result<Syntax *> Definitions::read_file(Unit &unit) {
  NameWatch names(watched_names());
  Syntax *tree = nullptr;
  {
    StageScope parse(timer, Stage::Parse);
    KILN_TRY(tree, parse_file(types, unit.arena, *unit.file, {.names = &names}));
  }
  KILN_CHECK(load_named(names));
  return tree;
}

Result<Syntax *> Definitions::read_expression(Unit &unit) {
  NameWatch names(watched_names());
  KILN_TRY(Syntax * tree, parse_expression(types, unit.arena, *unit.file, {.names = &names}));
  KILN_CHECK(load_named(names));
  return tree;
}

} // namespace kiln::julia
