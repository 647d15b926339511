// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of the library, made when the program was built, agrees with what evaluating all of it at once
// gives.
#include <interp/interp.h>
#include <julia/julia.h>

#include <runtime_sources.h>

#include <functional>
#include <set>

#include <catch2/catch.hpp>

using namespace kiln;

namespace {

/// Files that packages load. Not compared: the index leaves out their empty modules, and names variables of
/// types in another way.
std::set<size_t> package_files() {
  std::set<size_t> found;
  std::function<void(size_t)> add = [&](size_t i) {
    if (found.insert(i).second)
      for (size_t other = 0; other < runtime_library().size(); ++other)
        if (runtime_library()[other].with == int32_t(i)) add(other);
  };
  for (size_t i = 0; i < runtime_library().size(); ++i)
    if (runtime_library()[i].loads_with_packages) add(i);
  return found;
}

struct Library {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Interpreter interpreter{world};
  julia::JuliaFrontend frontend{{world, interpreter}};
  size_t postponed = 0, evaluated = 0;

  explicit Library(bool indexed) {
    REQUIRE(add_host_library(interpreter).ok());
    for (const char *root : {"CUDA", "KernelAbstractions"}) world.module(types.symbol(root), nullptr);
    const std::set<size_t> excluded = package_files();
    for (size_t i = 0; i < runtime_library().size(); ++i)
      if (!excluded.contains(i)) load(runtime_library()[i], indexed);
    // What macros and generated functions build code with is made when the first of them runs; with the index
    // none may have.
    REQUIRE(frontend
                .load(world, *world.main(),
                      sources.add("first_macro.jl", "macro first_macro() end\n@first_macro"))
                .ok());
  }

  void load(const LibraryFile &file, bool indexed) {
    const EmbeddedSource &text = file.source;
    INFO(text.name);
    const Symbol overlay = file.overlay.empty() ? Symbol() : types.symbol(file.overlay);
    Module &into = *world.find_root_module(types.symbol(text.modules.front()));
    auto source = [&] { return sources.add(std::string(text.name), std::string(text.text)); };
    auto report = indexed   ? frontend.load_embedded(overlay, text)
                  : overlay ? frontend.load_overlay(world, into, overlay, source())
                            : frontend.load(world, into, source());
    REQUIRE(report.ok());
    CHECK(report->unresolved.empty());
    CHECK(report->skipped.empty());
    postponed += text.later.size();
    evaluated += text.now.size();
  }

  std::vector<std::string> methods() {
    auto all = world.all_methods();
    if (!all.ok()) FAIL(all.error().what());
    std::vector<std::string> lines;
    for (const Method *method : *all) {
      const TypeName *owner = world.owner(*method);
      std::string_view name = owner ? owner->name.text() : "";
      if (name.starts_with("#")) continue; // closures are numbered in the order in which they were met
      if (!method->at.file)
        continue; // constructors of Expr and QuoteNode, which the front-end makes when there is a macro
      lines.push_back(fmt::format(
          "{}:{} {} [{}]{}{}{}", sources.file(method->at.file)->name(), method->at.begin,
          to_string(method->signature), method->overlay.text(), method->hints.inline_ ? " inline" : "",
          method->hints.noinline ? " noinline" : "",
          method->end == EndOfTime ? "" : " replaced")); // a default constructor, by one that is written out
    }
    std::ranges::sort(lines);
    return lines;
  }

  std::vector<std::string> names() {
    std::vector<std::string> lines;
    std::function<void(Module &)> list = [&](Module &module) {
      for (Symbol name : world.names(module)) {
        lines.push_back(module.full_name() + "." + std::string(name.text()));
        auto value = world.lookup(module, name, world.age());
        Module *inner = value.ok() && *value ? const_cast<Module *>((*value)->as_module()) : nullptr;
        if (inner && inner->parent() == &module) list(*inner);
      }
    };
    for (const char *root : {"Core", "Base", "CUDA", "KernelAbstractions"})
      list(*world.find_root_module(types.symbol(root)));
    return lines;
  }
};

} // namespace

using Lines = std::vector<std::string>;

/// Lines of one list that the other lacks, after a sign.
Lines difference(const Lines &a, const Lines &b) {
  Lines only;
  for (const std::string &line : a)
    if (!std::ranges::count(b, line)) only.push_back("-" + line);
  for (const std::string &line : b)
    if (!std::ranges::count(a, line)) only.push_back("+" + line);
  return only;
}

TEST_CASE("the library read by its index has the methods and names that it has read whole") {
  Library whole(false), indexed(true);
  CHECK(difference(indexed.names(), whole.names()) == Lines()); // before anybody has asked for a method
  const Lines expected = whole.methods();
  CHECK(expected.size() > 2000);
  CHECK(difference(indexed.methods(), expected) == Lines());
  CHECK(difference(indexed.names(), whole.names()) == Lines());
}

TEST_CASE("most of the library waits until it is asked for") {
  Library library(true);
  CHECK(library.postponed > 5 * library.evaluated);
  // What is asked for is there from the first world on.
  TypeContext &types = library.types;
  CompilerWorld &world = library.world;
  WorldAge before = world.age();
  auto f = world.lookup(*world.base(), types.symbol("fld1"), before);
  REQUIRE(f.ok());
  REQUIRE(f->has_value());
  TypeRef int64 = types.builtins().Int64;
  auto match = world.lookup_method(types.tuple({(*f)->type(), int64, int64}), FirstWorld, {});
  REQUIRE(match.ok());
  CHECK(match->method);
  CHECK(world.age() == before);
}
