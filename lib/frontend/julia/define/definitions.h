// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A frontend's definitions outside the World: hosts of nested functions, postponed library files.
#pragma once

#include "library_files.h"
#include "package_index.h"

#include <expand/expand.h>
#include <packages/packages.h>

#include <optional>
#include <set>

namespace kiln::julia {

/// A function whose body contains functions.
struct HostDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr;
  std::shared_ptr<Unit> unit;
};

/// Packages loaded from their sources, including extensions. Used by one load at a time.
struct LoadedPackages {
  struct Loaded {
    std::shared_ptr<const Package> package;
    Module *module = nullptr;
    bool is_loading = false;
    bool is_extension = false;
    Fingerprint content = {}; ///< digest of its file
  };
  std::optional<PackageResolver> resolver; ///< none: no load path and no project
  std::vector<Loaded> all;                 ///< in the order in which loading started
  std::unordered_set<Symbol> brought;      ///< Kiln's own modules that a program or package imported
  std::set<std::string> extensions;        ///< "P.Ext": loaded or reported
  std::unordered_map<const Module *, std::vector<Symbol>> exports; ///< outside Kiln's library
  std::vector<Module *> made;        ///< modules of the package being loaded, inner ones first
  IndexedPackage *indexed = nullptr; ///< index of that package; null: none is kept

  bool wants_host = false;            ///< a statement of a package did not run for lack of a host
  std::vector<Diagnostic> unresolved; ///< of loaded packages, until the outermost is loaded

  bool is_from_source(Symbol name) const;
  Loaded *find(Symbol name);                 ///< null: no package of that name is loaded or loading
  const Loaded *owner(const Module &module); ///< package that contains the module; null: the program
  /// True for Kiln's own modules: neither in `main` nor in a package.
  bool is_of_library(const Module &module, const Module &main);
  bool is_loaded(Symbol name); ///< extensions may rely on it
};

class Definitions final : public Shared {
public:
  using Shared::Shared;

  Result<Value> interpret(const Module &module, const Syntax &node) override;
  Result<void> define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) override;
  Result<void> define_macro(MacroDefinition &macro) override;

  LibraryFiles library;
  const WatchedNames &watched_names() const override { return library.names(); }
  Result<void> load_named(const NameWatch &seen) override;
  /// Parse the text of a program, package, job or argument, and load the library files that its names
  /// trigger.
  Result<Syntax *> read_file(Unit &unit);
  Result<Syntax *> read_expression(Unit &unit);
  std::function<Result<void>()> load_program_library; ///< library for programs only; does nothing if loaded
  /// Loads the library for code that runs while a package is loaded. Does nothing without a host.
  Result<void> load_host_library();
  bool has_host = false; ///< a host exists: statements of packages run

  LoadedPackages packages;

  /// True at the first mention of this unknown package.
  bool is_first_mention(Symbol package);

  void add_host(const Module &module, Symbol name, HostDefinition host);
  std::vector<HostDefinition> hosts(const Module &module, Symbol name) const; ///< newest first

private:
  mutable std::mutex mutex_;
  std::unordered_set<Symbol> unknown_packages_;
  std::unordered_map<Symbol, std::vector<HostDefinition>> hosts_;
};

} // namespace kiln::julia
