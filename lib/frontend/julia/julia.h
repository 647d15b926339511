// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component julia (layer 8): the in-tree kernel language, a subset of Julia, as a client of the frontend
// seam. Its parts are components of their own, each in a folder of this one:
//   syntax           text -> syntax tree
//   expand           macros, hygiene, quoting, sugar
//   lower            expanded syntax -> lowered code: scopes, closures, control flow
//   define           top level: modules, imports, types, methods, constants into a World
// Here are what an embedder asks for (julia.cpp), and Kiln's own library: what of it is read when
// (library.cpp).
#pragma once

#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/library_file.h>
#include <kiln/extension/language/interpreter.h>
#include <packages/packages.h>

namespace kiln::julia {

class Definitions;

class JuliaFrontend final : public Frontend {
public:
  /// `library`: Kiln's own, in load order (runtime_library()); `host_files`: those of the host library. Both
  /// must outlive the World.
  explicit JuliaFrontend(const LanguageHost &host, std::span<const LibraryFile> library = {},
                         std::span<const LibraryFile> host_files = {});
  ~JuliaFrontend() override;

  std::string_view name() const override { return "julia"; }
  std::vector<std::string_view> file_extensions() const override { return {".jl"}; }
  /// Base, then the device modules, then the overlays.
  Result<void> load_library(World &world, std::span<const OverlayFiles> overlays) override;
  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override;
  Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) override;
  Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                  std::shared_ptr<const SourceFile> file) override;

  Result<Value> run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                    const Run &how) override;

  /// Where packages are looked for from now on; those that are loaded stay.
  void find_packages(PackageSearch search);

  /// A file of Kiln's own library, of which only what its index says is evaluated now. `overlay` empty: as
  /// load, else as load_overlay. `source` itself need not outlive the call; what it refers to must outlive
  /// the World.
  Result<LoadReport> load_embedded(Symbol overlay, const EmbeddedSource &source);
  /// For making such an index: the statements of a file of the library.
  struct TopLevel {
    Span at;
    std::string module;        ///< the full name of the one that it stands in
    bool only_defines = false; ///< a function, or functions in a loop
  };
  Result<std::vector<TopLevel>> top_level(const Module &into, const SourceFile &file);

  /// An argument is a type, or a value that stands for its own type: Val(3), typeof(+) as a type, `+` as a
  /// value. A bare "f" means f(). "host/kernel(T...)" is the function `kernel` defined inside the function
  /// `host`.
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture> captures) override;
  using Frontend::resolve_call;

private:
  Result<void> load_library_file(const EmbeddedSource &file, Symbol overlay, bool must_resolve);
  Result<void> load_program_library();
  std::shared_ptr<Definitions> shared_;
};

} // namespace kiln::julia
