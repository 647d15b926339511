// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A World with Julia's library, as a session has it (by its index), without a session: what tests of infer
// and interp write their programs for.
#pragma once

#include <interp/interp.h>
#include <julia/julia.h>
#include <runtime_sources.h>

#include <catch2/catch.hpp>

namespace kiln::test {

struct JuliaWorld {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Interpreter interpreter;
  std::vector<std::string> log; ///< the frontend's debug lines
  julia::JuliaFrontend frontend{{.world = world,
                                 .interpreter = interpreter,
                                 .debug = [this](std::string_view line) { log.emplace_back(line); }},
                                runtime_library()};
  const TypeContext::Builtins &t = types.builtins();

  explicit JuliaWorld(Interpreter::Limits limits = {}) : interpreter(world, limits) {
    ok(frontend.load_library(world, {}));
    world.library_is_loaded();
  }

  template <class T> T take(Result<T> result) {
    if (!result.ok()) FAIL(result.error().what());
    return std::move(result).value();
  }
  void ok(const Result<void> &result) {
    if (!result.ok()) FAIL(result.error().what());
  }
  /// Definitions in Main, from a file test.jl.
  void load(std::string_view text) { take(frontend.load(world, *world.main(), file(text))); }
  /// The same for an overlay: other methods of functions that exist.
  void load_overlay(const char *overlay, std::string_view text) {
    take(frontend.load_overlay(world, *world.main(), types.symbol(overlay), file(text)));
  }
  std::shared_ptr<const SourceFile> file(std::string_view text) {
    return sources.add("test.jl", std::string(text));
  }
  Value function(std::string_view name) {
    auto value = take(world.lookup(*world.main(), types.symbol(name), world.age()));
    if (!value) FAIL(name << " is not defined");
    return *value;
  }
};

/// "name: message" of an error's first diagnostic; "" for none.
template <class T> std::string failure(const Result<T> &result) {
  if (result.ok()) return "";
  const Diagnostic &d = result.error().diagnostics()[0];
  return std::string(d.name()) + ": " + d.message;
}

} // namespace kiln::test
