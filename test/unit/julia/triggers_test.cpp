// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library files that wait load when code names one of their triggers, through every way that code comes in,
// and not for a text that only looks as if it did.
#include "scratch.h"

#include <interp/interp.h>
#include <julia/julia.h>

#include <runtime_sources.h>

#include <fstream>
#include <map>
#include <set>

#include <catch2/catch.hpp>

using namespace kiln;
using kiln::test::Scratch;

namespace {

/// A session's frontend with the whole library. `kept`: what packages leave for the next session.
struct Opened {
  std::map<std::string, std::string> &kept;
  std::set<std::string> loaded; ///< files that waited
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Interpreter interpreter{world};
  julia::JuliaFrontend frontend{
      {.world = world,
       .interpreter = interpreter,
       .debug = [this](std::string_view line) { note(line); },
       .find_kept = [this](Fingerprint key) -> std::optional<std::string> {
         auto found = kept.find(key.hex());
         return found == kept.end() ? std::nullopt : std::optional(found->second);
       },
       .keep = [this](Fingerprint key, std::string bytes) { kept[key.hex()] = std::move(bytes); }},
      runtime_library()};

  explicit Opened(std::map<std::string, std::string> &store) : kept(store) {
    if (auto done = frontend.load_library(world, {}); !done.ok()) FAIL(done.error().what());
    CHECK(loaded.empty());
  }
  void note(std::string_view line) {
    constexpr std::string_view before = "runtime library: ", after = " is loaded";
    if (line.starts_with(before) && line.ends_with(after))
      loaded.emplace(line.substr(before.size(), line.size() - before.size() - after.size()));
  }
  // What becomes of the code does not matter: many triggers name nothing by themselves.
  void load(std::string_view text) {
    (void)frontend.load(world, *world.main(), sources.add("user.jl", std::string(text)));
  }
  void load_overlay(std::string_view text) {
    (void)frontend.load_overlay(world, *world.main(), types.symbol("mine"),
                                sources.add("overlay.jl", std::string(text), /*is_library=*/true));
  }
  void evaluate(std::string_view text) { (void)frontend.evaluate(world, *world.main(), "argument", text); }
  void resolve(std::string_view text) { (void)frontend.resolve_call(world, *world.main(), "job", text, {}); }
};

/// "ra", "nd": no text of the code has the name.
std::string halves(const std::string &name) {
  const size_t half = name.size() / 2;
  return fmt::format("string(\"{}\", \"{}\")", name.substr(0, half), name.substr(half));
}

/// How code with a name comes in. {} is the name, {halves} an expression that computes it.
struct Door {
  const char *what;
  void (*enter)(Opened &, const std::string &name);
};

const Door doors[] = {
    {"a function's body", [](Opened &f, const std::string &n) { f.load("f() = " + n); }},
    {"a member", [](Opened &f, const std::string &n) { f.load("f() = Base." + n); }},
    {"a call with a broadcast dot", [](Opened &f, const std::string &n) { f.load("f(x) = " + n + ".(x)"); }},
    {"an interpolation", [](Opened &f, const std::string &n) { f.load("f() = \"a $(" + n + ") b\""); }},
    {"a short interpolation", [](Opened &f, const std::string &n) { f.load("f() = \"a $" + n + " b\""); }},
    {"a symbol", [](Opened &f, const std::string &n) { f.load("f() = getfield(Base, :" + n + ")"); }},
    {"a symbol of a text",
     [](Opened &f, const std::string &n) { f.load("f() = getfield(Base, Symbol(\"" + n + "\"))"); }},
    {"var\"\"", [](Opened &f, const std::string &n) { f.load("f() = var\"" + n + "\""); }},
    {"a macro", [](Opened &f, const std::string &n) { f.load("f() = @" + n + " 1"); }},
    {"a macro of a module", [](Opened &f, const std::string &n) { f.load("f() = Base.@" + n + " 1"); }},
    {"import", [](Opened &f, const std::string &n) { f.load("import Base: " + n); }},
    {"using", [](Opened &f, const std::string &n) { f.load("using " + n); }},
    {"@eval", [](Opened &f, const std::string &n) { f.load("@eval g() = " + n); }},
    {"a loop of @eval",
     [](Opened &f, const std::string &n) {
       f.load("for half in (\"" + n.substr(1) + "\",)\n    @eval g() = $(Symbol(\"" + n.substr(0, 1) +
              "\", half))\nend");
     }},
    {"code that a macro makes",
     [](Opened &f, const std::string &n) {
       f.load("macro made() esc(Symbol(" + halves(n) + ")) end");
       f.evaluate("[@made]");
     }},
    {"an overlay",
     [](Opened &f, const std::string &n) { f.load_overlay("function f()\n    " + n + "\nend\n"); }},
    {"an argument", [](Opened &f, const std::string &n) { f.evaluate("[" + n + "]"); }},
    {"a member that is computed",
     [](Opened &f, const std::string &n) { f.evaluate("getfield(Base, Symbol(" + halves(n) + "))"); }},
    {"a member that is asked for",
     [](Opened &f, const std::string &n) { f.evaluate("isdefined(Base, Symbol(" + halves(n) + "))"); }},
    {"a job", [](Opened &f, const std::string &n) { f.resolve("f(" + n + ")"); }},
    {"a file that is included",
     [](Opened &f, const std::string &n) {
       const Scratch scratch;
       std::ofstream(scratch.path / "part.jl") << "f() = " << n << "\n";
       f.load("include(\"" + (scratch.path / "part.jl").string() + "\")");
     }},
};

std::string name_of(std::string_view trigger) {
  std::string name(trigger);
  if (name.ends_with('*')) name.replace(name.size() - 1, 1, "zzz");
  return name;
}

} // namespace

TEST_CASE("every trigger loads its file, through every way in") {
  size_t triggers = 0;
  for (const LibraryFile &file : runtime_library()) {
    for (std::string_view trigger : file.names) {
      ++triggers;
      for (const Door &door : doors) {
        std::map<std::string, std::string> store;
        Opened session(store);
        door.enter(session, name_of(trigger));
        INFO(door.what << ": " << trigger << " for " << file.source.name);
        CHECK(session.loaded.contains(std::string(file.source.name)));
      }
    }
  }
  CHECK(triggers > 20);
}

TEST_CASE("text that is no name loads nothing") {
  std::map<std::string, std::string> store;
  Opened session(store);
  std::string words;
  for (const LibraryFile &file : runtime_library())
    for (std::string_view trigger : file.names) words += name_of(trigger) + " ";
  session.load("# " + words + "\n#= " + words + " #=" + words + "=# =#\nf() = 1 # " + words + "\n");
  session.load("\"" + words + "\"\nf(x) = \"" + words + "\", \"\"\"" + words + "\"\"\", raw\"" + words +
               "\"\n");
  session.load("g(x) = `" + words + "`\nh(x) = operand + xrand + CudaRandom + _SVector\n");
  session.evaluate("\"" + words + "\"");
  CHECK(session.loaded.empty());
}

TEST_CASE("a file that waits brings what it needs, and what loads with it") {
  std::map<std::string, std::string> store;
  Opened session(store);
  session.load("f() = SVector");
  for (const char *file :
       {"base/static_array.jl", "base/marray.jl", "base/static_linear.jl", "base/static_macros.jl"})
    CHECK(session.loaded.contains(file));
  CHECK_FALSE(session.loaded.contains("base/random.jl"));
  session.load("f() = BroadcastStyle");
  for (const char *file : {"base/broadcast_styles.jl", "base/random.jl", "base/lazy_iterators.jl",
                           "base/structured.jl", "base/package_names.jl"})
    CHECK(session.loaded.contains(file));
}

TEST_CASE("a package brings its files, named in statements that wait as well") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path / "Asks/src");
  std::ofstream(scratch.path / "Asks/src/Asks.jl") << "module Asks\ninclude(\"more.jl\")\nend\n";
  std::ofstream(scratch.path / "Asks/src/more.jl") << "f(x) = llvm_wmma_load(x)\ng(x) = \"SVector\"\n";
  std::map<std::string, std::string> store;
  for (int session_number = 0; session_number < 2; ++session_number) { // the second follows the first's index
    Opened session(store);
    session.frontend.find_packages({.load_path = {scratch.path.string()}, .project = {}, .depots = {}});
    session.load("using Asks");
    CHECK(session.loaded.contains("device/wmma_names.jl"));
    CHECK(session.loaded.contains("base/package_names.jl"));
    CHECK_FALSE(session.loaded.contains("base/static_array.jl"));
    CHECK(store.size() == 1);
  }
}
