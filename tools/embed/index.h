// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index of the library's files: the statements that a session must evaluate when it opens, and those that can
// wait until a function's or type's methods are needed. The indexer evaluates all statements and records
// where each method went.
#pragma once

#include "manifest.h"

#include <interp/interp.h>
#include <julia/julia.h>

namespace kiln::embed {

/// An EmbeddedSource together with the data that it refers to.
struct IndexedFile {
  struct Callee {
    std::string name;
    uint16_t module = 0;
    bool is_function = true;
    std::vector<uint16_t> statements;
  };
  ManifestEntry entry;
  std::vector<std::string> modules;
  std::vector<EmbeddedStatement> now, later;
  std::vector<Callee> callees;
  uint16_t module(const std::string &full_name); ///< the module's index
};

class Indexer {
public:
  /// Indexes the files, in load order. Errors: faults of the manifest; files that fail to load or cannot be
  /// deferred as written.
  Result<std::vector<IndexedFile>> index(std::span<const std::string> paths);

private:
  Result<void> load(const IndexedFile &file);
  Result<void> index(IndexedFile &file);
  Result<void> place(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement, bool is_overlay);
  bool is_bound(const TypeName &owner); ///< the owner's name refers to it in its module
  Module *module(std::string_view full_name);

  TypeContext types_;
  SourceMap sources_;
  CompilerWorld world_{types_, sources_};
  Interpreter interpreter_{world_};
  julia::JuliaFrontend frontend_{{world_, interpreter_}};
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Method *>> methods_; ///< by file and place
};

} // namespace kiln::embed
