// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a frontend outside the World: packages that are loaded, library files that are pending, and
// functions with nested functions.
#pragma once

#include "library_files.h"
#include "package_index.h"

#include <expand/expand.h>
#include <packages/packages.h>

#include <optional>
#include <set>

namespace kiln::julia {

/// Definition of a function whose body may define kernels. "host/kernel" names kernel `kernel` in function
/// `host`.
struct HostDefinition {
  Module *module = nullptr;
  const Syntax *node = nullptr;
  std::shared_ptr<Unit> unit;
};

/// The packages that are loaded, if each of them has an index. Compiling threads read it while another thread
/// loads packages.
struct IndexedPackages {
  std::vector<const Module *> modules;
  Fingerprint digest; ///< of their names and contents, in the order of loading
  bool owns(const Module &module) const;
};

/// Packages and extensions that were loaded from their sources. Only one thread loads packages at a time.
struct LoadedPackages {
  struct Loaded {
    std::shared_ptr<const Package> package;
    Module *module = nullptr;
    bool is_loading = false;
    bool is_extension = false;
    bool is_indexed = false;  ///< it has an index, so that `content` covers all of its files
    Fingerprint content = {}; ///< digest of its files, and of the key of its index
  };
  std::optional<PackageResolver> resolver; ///< finds packages; not set: there is no load path and no project
  std::vector<Loaded> all;                 ///< in the order in which their loading started
  std::unordered_set<Symbol> brought;      ///< Kiln's own modules that a program or package imported
  std::set<std::string> extensions;        ///< "P.Ext": loaded or reported
  std::unordered_map<const Module *, std::vector<Symbol>> exports; ///< outside Kiln's library
  std::vector<Module *> made;        ///< modules of the package that is being loaded, inner modules first
  IndexedPackage *indexed = nullptr; ///< index of the package that is being loaded; null: it has none

  /// Null: a package is being loaded, or one has no index.
  std::atomic<std::shared_ptr<const IndexedPackages>> indexed_packages;
  void note_loaded(); ///< sets `indexed_packages`

  // For Definitions::generator_inputs, which the World calls under its evaluation lock.
  std::unordered_map<const TypeName *, bool> names_of_program; ///< does the program define the type?
  size_t num_judged = 0;     ///< number of the World's methods that `are_extended` takes into account
  bool are_extended = false; ///< the program has a method that other code may choose by its own types

  /// True if a package's statement could not run, because the host library is not loaded.
  bool wants_host = false;
  /// Diagnostics of package definitions that failed, for example by an unknown name. They go to the load
  /// report or the debug log when the outermost package is loaded.
  std::vector<Diagnostic> unresolved;

  bool is_from_source(Symbol name) const;
  Loaded *find(Symbol name); ///< null: no package of that name is loaded or being loaded
  /// Package that contains the module; null: it belongs to the program.
  const Loaded *owner(const Module &module);
  /// True for modules of Kiln's library: not inside `main`, and not in a package.
  bool is_of_library(const Module &module, const Module &main);
  bool is_loaded(Symbol name); ///< extensions may rely on it
};

/// Identity of a function, type or module among docstrings. Null: another value.
const void *doc_key(TypeContext &types, const Value &value);

class Definitions final : public Shared {
public:
  using Shared::Shared;

  Result<Value> interpret(const Module &module, const Syntax &node) override;
  Result<void> define(Module &into, std::shared_ptr<Unit> unit, const Syntax &code) override;
  Result<void> define_macro(MacroDefinition &macro) override;
  std::optional<Fingerprint> generator_inputs(const Module &module, Span at, TypeRef arguments) override;

  LibraryFiles library;
  const WatchedNames &watched_names() const override { return library.names(); }
  Result<void> load_named(const NameWatch &seen) override;
  /// Parses the text of a program, package, job or argument, and loads the library files that names in the
  /// text trigger.
  Result<Syntax *> read_file(Unit &unit);
  Result<Syntax *> read_expression(Unit &unit);
  /// Loads the library files that only programs need, unless they are loaded.
  std::function<Result<void>()> load_program_library;
  /// Loads the host library, by which code of packages runs on the CPU. Does nothing if the session cannot
  /// run host code (`bind_host` is null).
  Result<void> load_host_library();
  bool has_host = false; ///< true once the host library is loaded, so that statements of packages run

  LoadedPackages packages;

  /// True if no statement has named this unknown package before.
  bool is_first_mention(Symbol package);

  /// Docstrings of a program's functions, types and modules; see doc_key.
  std::unordered_map<const void *, std::string> docs;

  void add_host(const Module &module, Symbol name, HostDefinition host);
  std::vector<HostDefinition> hosts(const Module &module, Symbol name) const; ///< newest first

private:
  mutable std::mutex mutex_;
  std::unordered_set<Symbol> unknown_packages_;
  std::unordered_map<Symbol, std::vector<HostDefinition>> hosts_;
};

} // namespace kiln::julia
