// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <world/world.h>

#include <catch2/catch.hpp>

/// A World with shorthands to define and look up methods.
struct WorldFixture {
  kiln::TypeContext types;
  kiln::SourceMap sources;
  kiln::CompilerWorld world{types, sources};
  const kiln::TypeContext::Builtins &t = types.builtins();

  kiln::Symbol symbol(std::string_view text) { return types.symbol(text); }
  template <class T> T take(kiln::Result<T> result) {
    if (!result.ok()) FAIL(result.error().diagnostics()[0].message);
    return std::move(result).value();
  }
  void ok(kiln::Result<void> result) {
    if (!result.ok()) FAIL(result.error().diagnostics()[0].message);
  }
  std::string message(const kiln::Error &error) { return error.diagnostics()[0].message; }

  /// typeof(name) of the function in Main.
  kiln::TypeRef function(const char *name) {
    return take(world.function(*world.main(), symbol(name), {})).type();
  }
  /// A method of `signature` (a Tuple type or where-type) that returns its first argument's slot.
  const kiln::Method *define(kiln::TypeRef signature, const char *overlay = "") {
    return take(try_define(signature, overlay));
  }
  kiln::Result<const kiln::Method *> try_define(kiln::TypeRef signature, const char *overlay = "") {
    auto method = std::make_unique<kiln::Method>();
    method->name = symbol("f");
    method->module = world.main();
    method->signature = signature;
    if (*overlay) method->overlay = symbol(overlay);
    return world.define(std::move(method));
  }
  kiln::MethodMatch look(std::initializer_list<kiln::TypeRef> arguments, const char *overlay = "",
                         kiln::WorldAge at = 0) {
    return take(world.lookup_method(types.tuple(arguments), at ? at : world.age(),
                                    *overlay ? symbol(overlay) : kiln::Symbol()));
  }
  const kiln::TypeVar *var(const char *name, kiln::TypeRef upper = nullptr) {
    return types.new_var(symbol(name), types.bottom(), upper ? upper : t.Any);
  }
  kiln::TypeRef where(kiln::TypeRef body, const kiln::TypeVar *var) { return types.union_all(var, body); }
  kiln::TypeRef type_of(kiln::TypeRef type) { return types.type_of_type(type); }
  kiln::TypeRef ptr(kiln::TypeRef element) {
    return take(types.apply(t.Ptr, std::vector<kiln::TypeRef>{element}));
  }
  /// struct name end
  kiln::TypeRef new_struct(const char *name) {
    kiln::TypeName *made = types.new_type_name(symbol(name), "Main");
    made->super = t.Any;
    made->fields_defined = true;
    return types.finish_type_name(*made);
  }
  kiln::Value int64(int64_t value) { return types.int64(value); }
  std::optional<kiln::Value> value(const kiln::Module *module, const char *name, kiln::WorldAge at = 0) {
    return take(world.lookup(*module, symbol(name), at ? at : world.age()));
  }
};
