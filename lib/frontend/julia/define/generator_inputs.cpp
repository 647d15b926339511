// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Digest of everything on which the code of a package's @generated method depends. Processes compare it in
// place of the code, since a generator may run for milliseconds.
#include "define.h"

namespace kiln::julia {

/// True unless the type's definition belongs to Kiln's library or a package.
static bool is_of_program(Definitions &shared, const TypeName &name) {
  const Module *module = shared.world.find_module(name.module);
  if (module && shared.packages.owner(*module)) return false;
  using Kind = CompilerWorld::Meaning::Kind;
  return !module || shared.world.meaning(*module, name.name, shared.world.age()).kind != Kind::Library;
}

/// True if a type of the program is a part of this type.
static bool names_program(Definitions &shared, TypeRef type) {
  auto any = [&](auto &&parts) {
    return std::ranges::any_of(parts, [&](TypeRef part) { return names_program(shared, part); });
  };
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
    return names_program(shared, vararg->element()) ||
           (vararg->count() && names_program(shared, vararg->count()));
  }
  case TypeKind::Const: {
    const Value &value = type->as<ConstType>()->value();
    return names_program(shared, value.as_type() ? value.as_type() : value.type());
  }
  case TypeKind::Data: break;
  }
  const auto *data = type->as<DataType>();
  const TypeName &name = data->name();
  auto [known, is_new] = shared.packages.names_of_program.try_emplace(&name);
  if (is_new) known->second = !name.is_tuple && !name.is_type && is_of_program(shared, name);
  return known->second || any(data->params());
}

/// True if the program has a method that calls without types of the program may choose: it extends a function
/// of a package or the library.
static bool extends_others(Definitions &shared) {
  LoadedPackages &packages = shared.packages;
  for (const Method *method : shared.world.methods_from(packages.num_judged)) {
    ++packages.num_judged;
    const Module *module = method->module;
    const bool is_built_in = module == shared.world.core() && !shared.world.sources().file(method->at.file);
    if (method->is_library || is_built_in || (module && packages.owner(*module))) continue;
    packages.are_extended = packages.are_extended || !names_program(shared, method->signature);
  }
  return packages.are_extended;
}

std::optional<Fingerprint> Definitions::generator_inputs(const Module &module, Span at, TypeRef arguments) {
  const LoadedPackages::Loaded *owner = packages.owner(module);
  const auto file = world.sources().file(at.file);
  const auto is_known = [](const LoadedPackages::Loaded &each) {
    return each.is_indexed && !each.is_loading;
  };
  if (!owner || !file || !std::ranges::all_of(packages.all, is_known) || names_program(*this, arguments) ||
      extends_others(*this))
    return std::nullopt;
  Fingerprinter inputs;
  inputs.add("inputs of a generator")
      .add(owner->package->name)
      .add(fingerprint_of(file->text()))
      .add(at.begin);
  for (const LoadedPackages::Loaded &each : packages.all) inputs.add(each.package->name).add(each.content);
  types.digest(inputs, arguments);
  return inputs.finish();
}

} // namespace kiln::julia
