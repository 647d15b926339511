// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component julia (layer 8): the in-tree kernel language, a subset of Julia, behind the frontend interface.
// Its parts are components in the folders below:
//   syntax           parses text to a syntax tree
//   expand           macros, hygiene, quoting, syntactic sugar
//   lower            lowers expanded syntax: scopes, closures, control flow
//   define           evaluates the top level into a World: modules, imports, types, methods, constants
// This folder has the public interface (julia.cpp), and loads Kiln's own library on demand (library.cpp).
#pragma once

#include <kiln/extension/language/frontend.h>
#include <kiln/extension/language/internal/library_file.h>
#include <kiln/extension/language/interpreter.h>
#include <packages/packages.h>

namespace kiln::julia {

class Definitions;

class JuliaFrontend final : public Frontend {
public:
  /// `library`: Kiln's library files in load order (runtime_library()). `host_files`: files that only code on
  /// the host needs. Both must outlive the World.
  explicit JuliaFrontend(const LanguageHost &host, std::span<const LibraryFile> library = {},
                         std::span<const LibraryFile> host_files = {});
  ~JuliaFrontend() override;

  std::string_view name() const override { return "julia"; }
  std::vector<std::string_view> file_extensions() const override { return {".jl"}; }
  /// Loads Base, then the device modules, then the overlays of the targets.
  Result<void> load_library(World &world, std::span<const OverlayFiles> overlays) override;
  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override;
  Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) override;
  Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                  std::shared_ptr<const SourceFile> file) override;

  Result<Value> run(World &world, Module &into, std::shared_ptr<const SourceFile> file,
                    const Run &how) override;

  /// Sets the search path of packages. Packages that are already loaded stay.
  void find_packages(PackageSearch search);

  /// Loads a file of Kiln's own library. Evaluates only the statements that the file's index requires now.
  /// `overlay`: empty for the common method table (as load()), else as in load_overlay(). The data to which
  /// `source` points must outlive the World.
  Result<LoadReport> load_embedded(Symbol overlay, const EmbeddedSource &source);
  /// A top-level statement of a library file, from which the file's index is made.
  struct TopLevel {
    Span at;
    std::string module;        ///< full name of its module
    bool only_defines = false; ///< true if it only defines functions, alone or in a loop
    bool is_type = false;      ///< true if it defines a type
    bool imports = false;      ///< true if it imports `binds` from another module
    std::vector<Symbol> exports;
    std::vector<Symbol> binds; ///< names that it binds in its module, and does nothing else; empty: unknown
  };
  Result<std::vector<TopLevel>> top_level(const Module &into, const SourceFile &file);

  /// Resolves a call that is written with argument types. An argument is a type, or a value that stands for
  /// its own type: Val(3), typeof(+) as a type, `+` as a value. "f" alone means f(). "host/kernel(T...)"
  /// names the function `kernel` that is defined inside of the function `host`.
  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture> captures) override;
  using Frontend::resolve_call;

private:
  Result<void> load_library_file(const EmbeddedSource &file, Symbol overlay, bool must_resolve);
  Result<void> load_program_library();
  std::shared_ptr<Definitions> shared_;
};

} // namespace kiln::julia
