// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indexes the library's files. A session must evaluate some top-level statements when it opens. Others can
// wait until the methods that they define for a function or type are needed. The indexer evaluates all
// statements and records which functions and types get their methods.
#pragma once

#include "manifest.h"

#include <interp/interp.h>
#include <julia/julia.h>

#include <set>

namespace kiln::embed {

/// Index of one file. Holds the data of EmbeddedSource with strings instead of views.
struct IndexedFile {
  struct Name {
    std::string name;
    uint16_t module = 0, from = 0;
    EmbeddedName::Kind kind = EmbeddedName::Kind::Function;
    std::vector<uint16_t> definition;
    std::vector<std::pair<uint16_t, std::vector<CallShape>>> methods; ///< statements, and their shapes
  };
  ManifestEntry entry;
  std::vector<std::string> modules;
  std::vector<EmbeddedStatement> now, later;
  std::vector<Name> names;
  std::vector<uint16_t> for_types;               ///< see EmbeddedSource::for_types
  uint16_t module(const std::string &full_name); ///< index of this module in `modules`; adds a new one
  /// The name in the module; added if missing. `kind` holds unless the name is already there as a type.
  Name &name(std::string_view name, uint16_t module, EmbeddedName::Kind kind);
};

class Indexer {
public:
  /// Indexes the files, in load order. Errors: faults of the manifest; statements that do not load;
  /// definitions of overlays that cannot wait.
  Result<std::vector<IndexedFile>> index(std::span<const std::string> paths);

private:
  Result<void> load(const IndexedFile &file);
  Result<void> index(IndexedFile &file);
  Result<void> place(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement, bool is_overlay);
  /// Records which names a statement defines, if a session can evaluate it when one of them is first needed.
  bool defines_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement,
                     const EmbeddedStatement &placed);
  bool exports_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement);
  bool imports_names(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement,
                     const EmbeddedStatement &placed);
  bool is_bound(const TypeName &owner); ///< true if the owner's name in its module refers to it
  Module *module(std::string_view full_name);

  TypeContext types_;
  SourceMap sources_;
  CompilerWorld world_{types_, sources_};
  Interpreter interpreter_{world_};
  julia::JuliaFrontend frontend_{{world_, interpreter_}};
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Method *>> methods_; ///< by file and place
  std::set<std::pair<std::string, std::string>> defined_types_; ///< by full name of the module, and name
};

} // namespace kiln::embed
