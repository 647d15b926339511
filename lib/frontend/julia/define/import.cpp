// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "define.h"
#include "standard_libraries.h"

#include <kiln/extension/language/frontend.h>

#include <filesystem>

namespace kiln::julia {

/// Evaluates a try statement around definitions and includes. A statement that fails ends the body, and the
/// catch block is evaluated, as in Julia.
void Definer::attempt(Module &module, const Syntax &node) {
  const Syntax &body = *node.args[0], &on_error = *node.args[2], &always = *node.args[3],
               &on_success = *node.args[4];
  const bool catches = on_error.is(Head::Block);
  const size_t faults = faults_.size(), unresolved = report_.unresolved.size(), failures = failures_;
  const bool outer = std::exchange(in_try_, in_try_ || catches);
  auto failed = [&] {
    return faults_.size() > faults || report_.unresolved.size() > unresolved || failures_ > failures;
  };
  for (size_t i = 0; i < body.args.size() && !failed(); ++i) statement(module, *body.args[i]);
  in_try_ = outer;
  if (!failed()) {
    if (on_success.is(Head::Block)) statement(module, on_success);
  } else if (catches) {
    // Warn of faults in an existing file, which the `catch` block was probably not written for.
    for (size_t i = faults; i < faults_.size(); ++i)
      report_.warnings.push_back(
          {ErrorCode::None,
           fmt::format("{}: {}; the `catch` block goes on", faults_[i].name(), faults_[i].message),
           faults_[i].at,
           {},
           {},
           {}});
    faults_.erase(faults_.begin() + ptrdiff_t(faults), faults_.end());
    failures_ = failures;
    statement(module, on_error);
  }
  if (always.is(Head::Block)) statement(module, always);
}

/// Finds the module of an import path. Leading dots go to parent modules. The first name is a module that is
/// visible in `from`, or a root module.
Module *Definer::find_module(Module &from, std::span<const Syntax *const> path) {
  CompilerWorld &world = shared_->world;
  const Module *at = nullptr;
  size_t i = 0;
  while (i < path.size() && path[i]->name.text().find_first_not_of('.') == std::string_view::npos) {
    for (size_t dot = 0; dot < path[i]->name.text().size();
         ++dot) // "." and ".." may be nodes of their own, or parts of one
      at = at ? (at->parent() ? at->parent() : at) : &from;
    ++i;
  }
  if (i == path.size()) return at ? &Shared::writable(*at) : nullptr;
  if (!at) {
    Symbol first = path[i]->name;
    LoadedPackages &packages = shared_->packages;
    // In Kiln's own library files, module names always mean Kiln's modules.
    const bool is_library = unit_->file && unit_->file->is_library();
    if (auto *package = packages.find(first); package && !package->is_extension && !is_library) {
      at = load_package(from, first, *path[i]);
      if (!at) return nullptr;
    } else if (packages.is_from_source(first) && !is_library) {
      at = load_package(from, first, *path[i]); // else a module of Kiln
    }
    auto visible = at                              ? Result<std::optional<Value>>(std::nullopt)
                   : world.is_defined(from, first) ? world.lookup(from, first, world.age())
                                                   : Result<std::optional<Value>>(std::nullopt);
    if (!at) at = visible.ok() && *visible ? (*visible)->as_module() : nullptr;
    if (!at) at = world.find_root_module(first);
    // In Julia a package finds itself among the root modules. If its file was loaded without the package
    // search, its module is in Main, or around `from`.
    if (auto loaded =
            at ? Result<std::optional<Value>>(std::nullopt) : world.lookup(*world.main(), first, world.age());
        loaded.ok() && *loaded)
      at = (*loaded)->as_module();
    for (const Module *outer = from.parent(); !at && outer; outer = outer->parent())
      if (outer->name() == first) at = outer;
    if (!at) at = load_package(from, first, *path[i]);
    if (at && !is_library && packages.is_of_library(*at, *world.main())) packages.brought.insert(first);
    ++i;
  }
  for (; at && i < path.size(); ++i) {
    auto next = world.lookup(*at, path[i]->name, world.age());
    at = next.ok() && *next ? (*next)->as_module() : nullptr;
  }
  return at ? &Shared::writable(*at) : nullptr;
}

void Definer::import(Module &module, const Syntax &node) {
  for (const Syntax *item : node.args) {
    if (item->is(Head::ImportColon)) {
      import_names(module, *item);
    } else if (item->is(Head::As)) {
      import_path(module, *item->args[0], item->args[1]->name, node.is(Head::Using));
    } else if (item->is(Head::ImportPath) && !item->args.empty()) {
      import_path(module, *item, item->args.back()->name, node.is(Head::Using));
    } else {
      note_skipped(node);
    }
  }
  load_extensions(node);
}

void Definer::import_path(Module &module, const Syntax &path, Symbol as, bool is_using) {
  std::span<const Syntax *const> names(path.args.data(), path.args.size());
  if (Module *found = find_module(module, names)) {
    if (is_using && found != &module) shared_->world.use_module(module, *found);
    // The name of a package's own module precedes that of a module of Base.
    CompilerWorld &world = shared_->world;
    auto visible = as && world.is_defined(module, as) ? world.lookup(module, as, world.age())
                                                      : Result<std::optional<Value>>(std::nullopt);
    const bool is_another =
        visible.ok() && *visible && (*visible)->as_module() && (*visible)->as_module() != found;
    if (as && found->name() && (!world.is_defined(module, as) || (is_another && !world.has_own(module, as))))
      check(shared_->world.set_constant(module, as, Value::module(shared_->types, found), path.at), path);
    return;
  }
  if (names.size() > 1)
    if (Module *from = find_module(module, names.first(names.size() - 1))) {
      if (const Symbol name = names.back()->name;
          Expander::is_built_in(name.text()) && !shared_->find_macro(*from, name)) { // import Base.@pure
        shared_->alias_macro(module, as, name);
        return;
      }
      if (shared_->world.is_defined(*from, names.back()->name)) {
        check(shared_->world.import_name(module, *from, names.back()->name, as), path);
        return;
      }
    }
  unknown_package(module, path, is_using ? std::span<const Symbol>() : std::span(&as, 1));
}

void Definer::unknown_package(Module &module, const Syntax &path, std::span<const Symbol> names) {
  const bool is_relative = path.args[0]->name.text().starts_with('.');
  std::string text;
  for (const Syntax *part : path.args)
    text += (text.empty() || text.ends_with('.') ? "" : ".") + std::string(part->name.text());
  if (!is_relative && !find_module(module, std::span<const Syntax *const>(path.args.data(), 1)))
    text = path.args[0]->name.text(); // P of P.Inner
  const StandardLibrary *library = is_relative ? nullptr : missing_standard_library(text);
  const std::string what = library
                               ? fmt::format("`{}`, Julia's standard library for {},", text, library->what)
                               : fmt::format("the {} `{}`", is_relative ? "module" : "package", text);
  const std::string_view state = library ? "is not part of Kiln" : "is not known";
  const std::string missing = is_relative ? std::string() : std::exchange(package_missing_, {});
  const std::string_view remedy = library       ? library->instead
                                  : is_relative ? "define it above"
                                  : !missing.empty()
                                      ? std::string_view(missing)
                                      : "only what Kiln brings is; load the files that define it";
  std::string why = fmt::format(
      "{}{} {}: {}", what, library ? "" : fmt::format(", at {},", shared_->world.sources().describe(path.at)),
      state, remedy);
  shared_->world.note_missing(module, why, path.args.back()->name);
  for (Symbol name : names)
    if (name != path.args.back()->name) shared_->world.note_missing(module, why, name);
  if (names.empty() && library && !library->names.empty()) {
    for (std::string_view name : library->names)
      shared_->world.note_missing(module, why, shared_->symbol(name));
  } else if (names.empty()) { // the package may define any name that is not found
    shared_->world.note_missing(module, why);
  }
  note_skipped(path, "package not known");
  ++failures_;
  if (!in_try_ && shared_->is_first_mention(shared_->symbol(text)))
    report_.warnings.push_back({ErrorCode::None,
                                fmt::format("{} {}, so what it defines is missing: {}", what, state, remedy),
                                shared_->locate(path.at),
                                {},
                                {},
                                {}});
}

void Definer::import_names(Module &module, const Syntax &node) {
  const Syntax &path = *node.args[0];
  Module *from = find_module(module, std::span<const Syntax *const>(path.args.data(), path.args.size()));
  if (!from) {
    std::vector<Symbol> names;
    for (size_t i = 1; i < node.args.size(); ++i) {
      const Syntax *item = node.args[i]->is(Head::As) ? node.args[i]->args[1] : node.args[i];
      if (Symbol name =
              item->is(Head::ImportPath) && !item->args.empty() ? item->args.back()->name : item->name)
        names.push_back(name);
    }
    if (!path.args.empty()) unknown_package(module, path, names);
    return;
  }
  for (size_t i = 1; i < node.args.size(); ++i) {
    const Syntax *item = node.args[i];
    Symbol as;
    if (item->is(Head::As)) {
      as = item->args[1]->name;
      item = item->args[0];
    }
    Symbol name = item->is(Head::ImportPath) && !item->args.empty() ? item->args.back()->name : item->name;
    if (!name) continue;
    if (!as) as = name;
    // Atomix's @atomic returns the new value, CUDA's the old one.
    if (name.text() == "@atomic" &&
        (from->name().text() == "Atomix" || from->name().text() == "KernelAbstractions"))
      shared_->alias_macro(module, as, shared_->symbol("@Atomix.atomic"));
    else if (name.text().starts_with('@') && !shared_->find_macro(*from, name) &&
             Expander::is_built_in(name.text()))
      shared_->alias_macro(module, as, name);
    else if (!shared_->world.is_defined(*from, name)) {
      note_skipped(*item, fmt::format("not defined in {}", from->full_name()));
      shared_->world.note_missing(module,
                                  fmt::format("{} has no `{}` that Kiln knows, which is asked of it at {}",
                                              from->full_name(), name.text(),
                                              shared_->world.sources().describe(item->at)),
                                  as);
    } else
      check(shared_->world.import_name(module, *from, name, as), *item);
  }
}

} // namespace kiln::julia
