// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digest of everything on which the code of a package's @generated method depends. Processes compare it in
// place of the code, since a generator may run for milliseconds.
#include "define.h"

namespace kiln::julia {

bool IndexedPackages::owns(const Module &module) const {
  for (const Module *at = &module; at; at = at->parent())
    if (std::ranges::count(modules, at)) return true;
  return false;
}

void LoadedPackages::note_loaded() {
  auto now = std::make_shared<IndexedPackages>();
  Fingerprinter digest;
  for (const Loaded &each : all) {
    if (each.is_loading || !each.is_indexed || !each.module) {
      indexed_packages.store(nullptr);
      return;
    }
    digest.add(each.package->name).add(each.content);
    now->modules.push_back(each.module);
  }
  now->digest = digest.finish();
  indexed_packages.store(std::move(now));
}

/// True unless the type's definition belongs to Kiln's library or a package.
static bool is_of_program(Definitions &shared, const IndexedPackages &packages, const TypeName &name) {
  const Module *module = shared.world.find_module(name.module);
  if (module && packages.owns(*module)) return false;
  using Kind = CompilerWorld::Meaning::Kind;
  return !module || shared.world.meaning(*module, name.name, shared.world.age()).kind != Kind::Library;
}

/// True if a type of the program is a part of this type.
static bool names_program(Definitions &shared, const IndexedPackages &packages, TypeRef type) {
  auto names = [&](TypeRef part) { return names_program(shared, packages, part); };
  auto any = [&](auto &&parts) { return std::ranges::any_of(parts, names); };
  switch (type->kind()) {
  case TypeKind::Bottom: return false;
  case TypeKind::Var: return false; // its bounds stand at the UnionAll
  case TypeKind::Union: return any(type->as<UnionType>()->members());
  case TypeKind::UnionAll: {
    const auto *all = type->as<UnionAllType>();
    return any(std::array{all->var()->lower(), all->var()->upper(), all->body()});
  }
  case TypeKind::Vararg: {
    const auto *vararg = type->as<VarargType>();
    return names(vararg->element()) || (vararg->count() && names(vararg->count()));
  }
  case TypeKind::Const: {
    const Value &value = type->as<ConstType>()->value();
    return names(value.as_type() ? value.as_type() : value.type());
  }
  case TypeKind::Data: break;
  }
  const auto *data = type->as<DataType>();
  const TypeName &name = data->name();
  auto [known, is_new] = shared.packages.names_of_program.try_emplace(&name);
  if (is_new) known->second = !name.is_tuple && !name.is_type && is_of_program(shared, packages, name);
  return known->second || any(data->params());
}

/// True if the program has a method that calls without types of the program may choose: it extends a function
/// of a package or the library.
static bool extends_others(Definitions &shared, const IndexedPackages &packages) {
  LoadedPackages &known = shared.packages;
  for (const Method *method : shared.world.methods_from(known.num_judged)) {
    ++known.num_judged;
    const Module *module = method->module;
    const bool is_built_in = module == shared.world.core() && !shared.world.sources().file(method->at.file);
    if (method->is_library || is_built_in || (module && packages.owns(*module))) continue;
    known.are_extended = known.are_extended || !names_program(shared, packages, method->signature);
  }
  return known.are_extended;
}

std::optional<Fingerprint> Definitions::generator_inputs(const Module &module, Span at, TypeRef arguments) {
  const std::shared_ptr<const IndexedPackages> loaded = packages.indexed_packages.load();
  const auto file = world.sources().file(at.file);
  if (!loaded || !loaded->owns(module) || !file || names_program(*this, *loaded, arguments) ||
      extends_others(*this, *loaded))
    return std::nullopt;
  Fingerprinter inputs;
  inputs.add("inputs of a generator").add(loaded->digest).add(module.full_name());
  inputs.add(fingerprint_of(file->text())).add(at.begin);
  types.digest(inputs, arguments);
  return inputs.finish();
}

} // namespace kiln::julia
