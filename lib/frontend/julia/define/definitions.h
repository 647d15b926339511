// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a frontend has defined that is not the World's: hosts of nested functions, files of the library that
// wait.
#pragma once

#include "library_files.h"
#include "package_index.h"

#include <expand/expand.h>
#include <packages/packages.h>

#include <optional>
#include <set>

namespace kiln::julia {

/// A function whose body holds functions of its own.
struct HostDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr;
  std::shared_ptr<Unit> unit;
};

/// Packages that were loaded from their sources, extensions among them. One load at a time uses it.
struct LoadedPackages {
  struct Loaded {
    std::shared_ptr<const Package> package;
    Module *module = nullptr;
    bool is_loading = false;
    bool is_extension = false;
    Fingerprint content = {}; ///< of its own file
  };
  std::optional<PackageResolver> resolver; ///< none: no load path and no project
  std::vector<Loaded> all;                 ///< in the order in which they were begun
  std::unordered_set<Symbol> brought;      ///< modules of Kiln's own that a program or package imported
  std::set<std::string> extensions;        ///< "P.Ext": begun, or reported
  std::unordered_map<const Module *, std::vector<Symbol>> exports; ///< of modules outside Kiln's library
  std::vector<Module *> made;        ///< by the package that is being loaded, inner ones first
  IndexedPackage *indexed = nullptr; ///< that package's; null: nothing is kept

  bool wants_host = false;            ///< a statement of a package did not run, because there is no host
  std::vector<Diagnostic> unresolved; ///< of the packages that are loaded, while the outermost is not

  bool is_from_source(Symbol name) const;
  Loaded *find(Symbol name); ///< null: no package of that name, begun or loaded
  const Loaded *owner(
      const Module &module); ///< whose module, or a module within, this is; null: the program's
  /// Kiln's own: neither in `main` nor of a package.
  bool is_of_library(const Module &module, const Module &main);
  bool is_loaded(Symbol name); ///< an extension may count on it
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
  /// Parse the text of a program, a package, a job or an argument, and load what its names ask for.
  Result<Syntax *> read_file(Unit &unit);
  Result<Syntax *> read_expression(Unit &unit);
  std::function<Result<void>()>
      load_program_library; ///< what programs alone have; does nothing when it is there
  /// What code that runs while a package is loaded may call. Does nothing without a host.
  Result<void> load_host_library();
  bool has_host = false; ///< that is there: statements of packages run

  LoadedPackages packages;

  /// Is this the first time that this unknown package is asked for?
  bool is_first_mention(Symbol package);

  void add_host(const Module &module, Symbol name, HostDefinition host);
  std::vector<HostDefinition> hosts(const Module &module, Symbol name) const; ///< newest first

private:
  mutable std::mutex mutex_;
  std::unordered_set<Symbol> unknown_packages_;
  std::unordered_map<Symbol, std::vector<HostDefinition>> hosts_;
};

} // namespace kiln::julia
