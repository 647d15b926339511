// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions of programs about packages: preferences for @load_preference
// (runtime/library/base/preferences.jl), and the files of packages.
#include "define.h"

namespace kiln::julia {

namespace {

/// Converts a preference to a value. A list becomes a tuple, which the library converts to a vector. A table
/// is not supported.
Result<Value> value_of(Definitions &shared, const TomlValue &preference, const std::string &where) {
  TypeContext &types = shared.types;
  if (const bool *truth = std::get_if<bool>(&preference.value)) return types.boolean(*truth);
  if (const auto *number = std::get_if<int64_t>(&preference.value)) return types.int64(*number);
  if (const auto *number = std::get_if<double>(&preference.value)) return types.float64(*number);
  if (const std::string *text = preference.text()) return shared.string(*text);
  if (const TomlArray *list = preference.array()) {
    std::vector<Value> elements;
    std::vector<TypeRef> element_types;
    for (const TomlValue &each : *list) {
      KILN_TRY(Value element, value_of(shared, each, where));
      element_types.push_back(element.type());
      elements.push_back(std::move(element));
    }
    TypeRef made = types.tuple(std::span<const TypeRef>(element_types));
    return elements.empty() ? types.singleton_value(made) : Value::structure(made, std::move(elements));
  }
  return input_error(fmt::format("the preference `{}` is a table: Kiln reads numbers, texts, true, "
                                 "false and lists of them",
                                 where));
}

} // namespace

Result<void> add_preferences(const std::shared_ptr<Definitions> &shared) {
  // __package_file(name): path of the main file of the package that a program means by the name, or nothing
  KILN_CHECK(shared->interpreter.add_host_function(
      *shared->world.base(), "__package_file",
      [shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        const std::string *name = args.size() == 1 ? args[0].as_string() : nullptr;
        if (!name || !shared->packages.resolver) return shared->types.nothing();
        const auto found = shared->packages.resolver->find(*name, nullptr);
        return found.ok() && *found ? shared->string((*found)->file) : shared->types.nothing();
      }));
  return shared->interpreter.add_host_function(
      *shared->world.base(), "__preference",
      [shared](Interpreter &, std::span<const Value> args) -> Result<Value> {
        const Module *module = args.size() == 3 ? args[0].as_module() : nullptr;
        const auto *key = args.size() == 3 ? args[1].as_string() : nullptr;
        if (!module || !key)
          return make_error(ErrorCode::ArgumentError,
                            "a preference is asked for by a module and the text of its name");
        const LoadedPackages &packages = shared->packages;
        const LoadedPackages::Loaded *owner = shared->packages.owner(*module);
        if (!owner || !packages.resolver) return args[2];
        KILN_TRY(TomlTable table, packages.resolver->preferences(owner->package->name));
        const TomlValue *found = find(table, *key);
        return found ? value_of(*shared, *found, owner->package->name + "." + std::string(*key)) : args[2];
      });
}

} // namespace kiln::julia
