// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shared.h"

namespace kiln::julia {

Shared::Shared(const LanguageHost &host)
    : world(compiler_world(host.world)), interpreter(host.interpreter), types(world.types()),
      timer(host.timer.get()), debug(host.debug), find_kept(host.find_kept), keep(host.keep),
      bind_host(host.bind_host) {
  TypeName *name = types.new_type_name(symbol("#Static"), "Core");
  name->params = {types.new_var(symbol("T"), types.bottom(), types.builtins().Any)};
  name->super = types.builtins().Any;
  name->fields_defined = true;
  static_wrapper = types.finish_type_name(*name);
  for (auto [type, text] :
       {std::pair(&keyword_values, "#KeywordValues"), std::pair(&keyword_sorter, "#KeywordSorter")}) {
    TypeName *marker = types.new_type_name(symbol(text), "Core");
    marker->super = types.builtins().Any;
    marker->fields_defined = true;
    *type = types.finish_type_name(*marker);
  }
  if (auto function = world.function(*world.core(), symbol("kwcall"), {}); function.ok()) kwcall = *function;
}

Error Shared::undefined(const Module &module, Symbol name, Span at, bool has_hint) {
  std::string hint = has_hint ? world.undefined_hint(module, name) : std::string();
  return undefined_error(name.str(), fmt::format("`{}` not defined in `{}`", name.text(), module.full_name()),
                         locate(at), hint);
}

const Module &Shared::module_of(uint32_t scope, const Module &otherwise) const {
  if (scope == 0)
    return otherwise; // NOLINT(bugprone-return-const-ref-from-parameter): modules live as long as the world
  if (scope == BaseScope) return *world.base();
  if (scope == CoreScope) return *world.core();
  std::lock_guard lock(mutex_);
  return *expansions_[scope - 1].module;
}

uint32_t Shared::new_expansion(const Module &module, uint32_t caller) {
  std::lock_guard lock(mutex_);
  expansions_.push_back({&module, caller});
  return uint32_t(expansions_.size());
}

uint32_t Shared::caller_of(uint32_t scope) const {
  std::lock_guard lock(mutex_);
  return scope == 0 || scope > expansions_.size() ? 0 : expansions_[scope - 1].caller;
}

size_t Shared::levels_between(uint32_t inner, uint32_t outer) const {
  size_t levels = 0;
  for (uint32_t at = inner; at != outer; at = caller_of(at), ++levels)
    if (at == 0) return 0;
  return levels;
}

std::shared_ptr<MacroDefinition> Shared::find_macro(const Module &module, Symbol name) {
  auto found = world.lookup(module, name, world.age());
  if (!found.ok() || !*found) return nullptr;
  std::lock_guard lock(mutex_);
  auto it = macros_.find((*found)->type());
  return it == macros_.end() ? nullptr : it->second;
}

void Shared::alias_macro(const Module &module, Symbol alias, Symbol macro) {
  std::lock_guard lock(mutex_);
  if (alias != macro) macro_aliases_.push_back({&module, alias, macro});
}

Symbol Shared::built_in_macro(const Module &module, Symbol name) const {
  std::lock_guard lock(mutex_);
  for (const MacroAlias &alias : macro_aliases_)
    if (alias.module == &module && alias.alias == name) return alias.macro;
  return name;
}

void Shared::add_macro(const Value &function, std::shared_ptr<MacroDefinition> macro) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<MacroDefinition> &slot = macros_[function.type()];
  macro->function = function;
  macro->other = slot;
  slot = std::move(macro);
}

} // namespace kiln::julia
