// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <interp/interp.h>
#include <julia/julia.h>

#include <runtime_sources.h>

#include <catch2/catch.hpp>

/// A World with the base library, a frontend and an interpreter to run what it lowers.
struct JuliaFixture {
  kiln::TypeContext types;
  kiln::SourceMap sources;
  kiln::CompilerWorld world{types, sources};
  kiln::Interpreter interpreter{world};
  kiln::julia::JuliaFrontend frontend{{world, interpreter}};
  std::string base_faults;

  explicit JuliaFixture(bool with_base = true) {
    if (!with_base) return;
    world.module(types.symbol("CUDA"), nullptr);
    ok(add_host_library(interpreter));
    load_library("Base");
  }

  /// The files of a module that load when a session opens.
  void load_library(std::string_view module) {
    kiln::Module *into = world.module(types.symbol(module), nullptr);
    if (module == "Base") into = world.base();
    for (const kiln::LibraryFile &file : kiln::runtime_library())
      if (!file.waits && file.overlay.empty() && file.source.modules.front() == module)
        load_library(file.source, *into);
  }

  void load_library(const kiln::EmbeddedSource &source, kiln::Module &into) {
    auto report = frontend.load(world, into, sources.add(std::string(source.name), std::string(source.text)));
    if (!report.ok()) {
      base_faults += report.error().what();
      return;
    }
    for (auto &skipped : report->skipped)
      base_faults += std::string(source.name) + ": skipped " + skipped.what + "\n";
    for (auto &unresolved : report->unresolved) base_faults += render(unresolved) + "\n";
  }

  void ok(kiln::Result<void> result) {
    if (!result.ok()) FAIL(result.error().what());
  }
  kiln::LoadReport load(std::string_view text, const char *overlay = "") {
    auto file = sources.add("test.jl", std::string(text));
    auto report = *overlay ? frontend.load_overlay(world, *world.main(), types.symbol(overlay), file)
                           : frontend.load(world, *world.main(), file);
    if (!report.ok()) FAIL(report.error().what());
    return std::move(*report);
  }
  /// The value of an expression, printed; or its error's name and message.
  std::string value(std::string_view expression) {
    auto result = frontend.evaluate(world, *world.main(), "expression", expression);
    if (!result.ok()) {
      const kiln::Diagnostic &d = result.error().diagnostics()[0];
      return std::string(d.name()) + ": " + d.message;
    }
    return to_string(*result);
  }
  /// Loads definitions, then evaluates.
  std::string run(std::string_view definitions, std::string_view expression) {
    load(definitions);
    return value(expression);
  }
  /// The lowered code of the newest method of a function of Main, as printed.
  std::string lowered(std::string_view function) {
    auto f = world.lookup(*world.main(), types.symbol(function), world.age());
    REQUIRE(f.ok());
    REQUIRE(f->has_value());
    auto methods = world.methods_of((*f)->type(), {}, world.age());
    REQUIRE(!methods.empty());
    auto code = methods.back()->code(types);
    if (!code.ok())
      return std::string(code.error().diagnostics()[0].name()) + ": " + code.error().diagnostics()[0].message;
    return to_string(**code);
  }
};
