// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules: creation, imports, exports and names.
#include "edit_distance.h"
#include "host_functions.h"
#include "state.h"

namespace kiln {

Module *World::find_root_module(Symbol name) {
  std::shared_lock hold(state_->lock);
  return state_->find_module(nullptr, name);
}

Module *World::module(Symbol name, Module *parent, const ModuleOptions &options) {
  if (!name || !compiler_world(*this).complete(name).ok()) return nullptr;
  std::scoped_lock hold(state_->lock);
  if (Module *found = state_->find_module(parent, name)) return found;
  Module *made = state_->new_module(name, parent);
  made->contents_->uses_base = options.uses_base;
  WorldAge age = age_.load(std::memory_order_relaxed) + 1;
  auto binding = std::make_shared<Binding>();
  binding->owner = parent ? parent : made;
  binding->name = name;
  binding->versions.push_back({.value = Value::module(types_, made), .begin = age});
  made->contents_->bindings[name] = binding;
  if (parent) {
    auto &in_parent = parent->contents_->bindings[name];
    if (in_parent && !in_parent->versions.empty() && in_parent->owner == parent) {
      in_parent->versions.back().end = age;
      in_parent->versions.push_back(binding->versions.back());
    } else {
      in_parent = binding;
    }
  }
  age_.store(age, std::memory_order_release);
  state_->bindings_changed(*this, name, age);
  return made;
}

Result<void> World::import_name(Module &into, const Module &from, Symbol name, Symbol as) {
  if (!name || !as) return usage_error("World::import_name: a name is empty");
  KILN_CHECK(compiler_world(*this).complete(name));
  if (as != name) KILN_CHECK(compiler_world(*this).complete(as));
  std::unique_lock hold(state_->lock);
  WorldAge now = age_.load(std::memory_order_relaxed);
  auto found = state_->resolve(*this, from, name, now);
  if (!found.version) {
    hold.unlock();
    std::vector<std::string> similar = similar_names(from, name);
    return undefined_error(
        name.str(), fmt::format("{} is not defined in module {}", name.text(), from.full_name()), {},
        similar.empty() ? std::string() : fmt::format("did you mean {}?", fmt::join(similar, ", ")));
  }
  auto &here = into.contents_->bindings[as];
  if (here == found.binding) return {};
  if (here && here->at(now))
    return input_error(fmt::format("importing {}.{} into {} conflicts with an existing name",
                                   from.full_name(), name.text(), into.full_name()));
  here = found.binding;
  if (state_->defines_unknown_name()) return {};
  into.contents_->imported[as] = now + 1;
  age_.store(now + 1, std::memory_order_release);
  state_->bindings_changed(*this, as, now + 1);
  return {};
}

void World::use_module(Module &into, const Module &used) {
  std::scoped_lock hold(state_->lock);
  auto &usings = into.contents_->usings;
  if (&into == &used ||
      std::any_of(usings.begin(), usings.end(), [&](const auto &each) { return each.module == &used; }))
    return;
  WorldAge age = age_.load(std::memory_order_relaxed) + 1;
  usings.push_back({&used, age});
  age_.store(age, std::memory_order_release);
  state_->bindings_changed(*this, {}, age);
}

void World::export_name(Module &module, Symbol name) {
  if (!name) return;
  std::scoped_lock hold(state_->lock);
  if (state_->defines_unknown_name()) {
    module.contents_->exports.emplace(name, FirstWorld);
    return;
  }
  WorldAge age = age_.load(std::memory_order_relaxed) + 1;
  if (!module.contents_->exports.emplace(name, age).second) return;
  age_.store(age, std::memory_order_release);
  state_->bindings_changed(*this, name, age);
}

static void sort_by_text(std::vector<Symbol> &symbols) {
  std::sort(symbols.begin(), symbols.end(), [](Symbol a, Symbol b) { return a.text() < b.text(); });
}

std::vector<Symbol> World::names(const Module &module) const {
  if (!compiler_world(*this).define_names().ok()) return {};
  std::shared_lock hold(state_->lock);
  std::vector<Symbol> names;
  for (auto &[name, binding] : module.contents_->bindings)
    if (binding->owner == &module && binding->at(age())) names.push_back(name);
  sort_by_text(names);
  return names;
}

std::vector<Symbol> CompilerWorld::exported_names(const Module &module) const {
  std::vector<Symbol> exported = names(module);
  std::shared_lock hold(state_->lock);
  std::erase_if(exported, [&](Symbol name) { return !module.contents_->exports_at(name, age()); });
  return exported;
}

std::vector<Symbol> CompilerWorld::visible_names(const Module &module) const {
  std::vector<Symbol> visible;
  if (!define_names().ok()) return visible;
  {
    std::shared_lock hold(state_->lock);
    auto add_from = [&](const Module &from, bool only_exports) {
      for (auto &[name, binding] : from.contents_->bindings)
        if (binding->at(age()) && (!only_exports || from.contents_->exports_at(name, age())))
          visible.push_back(name);
    };
    add_from(module, false);
    for (const auto &each : module.contents_->usings) add_from(*each.module, true);
    if (module.contents_->uses_base) add_from(*base_, false);
    if (&module != core_) add_from(*core_, false);
  }
  sort_by_text(visible);
  visible.erase(std::unique(visible.begin(), visible.end()), visible.end());
  return visible;
}

std::vector<std::string> World::similar_names(const Module &module, Symbol name) {
  std::vector<Symbol> visible =
      name.text().size() <= 3 ? names(module) : compiler_world(*this).visible_names(module);
  std::erase(visible, name);
  // In a short name one letter makes another word: the first letter must agree, and up to three letters are
  // compared with the module's own names only.
  const std::string_view text = name.text();
  const size_t limit = text.size() <= 8 ? 1 : 2;
  const size_t first = text.starts_with('@') ? 1 : 0;
  std::vector<std::pair<size_t, Symbol>> near;
  for (Symbol other : visible) {
    if (text.size() <= 8 && text.substr(0, first + 1) != other.text().substr(0, first + 1)) continue;
    if (size_t distance = edit_distance(text, other.text(), limit); distance <= limit)
      near.emplace_back(distance, other);
  }
  std::sort(near.begin(), near.end(), [](auto &a, auto &b) {
    return a.first != b.first ? a.first < b.first : a.second.text() < b.second.text();
  });
  std::vector<std::string> texts;
  for (size_t i = 0; i < near.size() && i < 5; ++i) texts.emplace_back(near[i].second.text());
  return texts;
}

void CompilerWorld::note_missing(const Module &module, std::string why, Symbol name) {
  std::scoped_lock hold(state_->lock);
  state_->missing.push_back({module.full_name(), name, std::move(why)});
}

std::vector<std::string> CompilerWorld::missing_of(std::string_view module, Symbol name) {
  constexpr size_t max_notes = 3;
  std::vector<std::string> found;
  std::shared_lock hold(state_->lock);
  for (const State::Missing &missing : state_->missing)
    if (missing.name == name && missing.module == module && found.size() < max_notes)
      found.push_back(missing.why);
  return found;
}

std::string World::undefined_hint(const Module &module, Symbol name) {
  std::vector<std::string> parts;
  // Notes about missing names come before suggestions of similar names. Notes for this name come before
  // general ones.
  CompilerWorld &inner = compiler_world(*this);
  parts = inner.missing_of(module.full_name(), name);
  if (parts.empty()) parts = inner.missing_of(module.full_name(), {});
  const bool sees_base = module.contents_->uses_base || &module == base_;
  std::vector<std::string_view> searched{module.name().text()};
  for (const auto &each : module.contents_->usings) searched.push_back(each.module->name().text());
  if (sees_base) searched.push_back("Base");
  if (std::string advice = missing_julia_name(name.text(), searched); !advice.empty())
    parts.push_back(std::move(advice));
  else if (std::string_view host = sees_base ? host_function_hint(name.text()) : std::string_view();
           !host.empty())
    parts.emplace_back(host);
  else if (auto similar = similar_names(module, name); !similar.empty())
    parts.push_back(fmt::format("{}did you mean {}?", parts.empty() ? "" : "or ", fmt::join(similar, ", ")));
  const bool is_internal = name.text().starts_with("#");
  if (const std::string owner = module.full_name(); parts.empty() && !is_internal && is_library_module(owner))
    parts.push_back(fmt::format(
        "Kiln's `{}` lacks it: write the function in Julia; docs/guide/julia-names.md lists the names",
        owner));
  return fmt::format("{}", fmt::join(parts, "; "));
}

} // namespace kiln
