// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of the library's files: which statements a session must evaluate when it opens, and which can
// wait until the methods of a function or type are asked for. Found out by evaluating all of them and looking
// where methods went.
#pragma once

#include "manifest.h"

#include <interp/interp.h>
#include <julia/julia.h>

namespace kiln::embed {

/// As EmbeddedSource, but with what it refers to.
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
  uint16_t module(const std::string &full_name); ///< its index
};

class Indexer {
public:
  /// The files by name, in load order. Errors: faults of the manifest; what does not load, or is written so
  /// that it cannot wait.
  Result<std::vector<IndexedFile>> index(std::span<const std::string> paths);

private:
  Result<void> load(const IndexedFile &file);
  Result<void> index(IndexedFile &file);
  Result<void> place(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement, bool is_overlay);
  bool is_bound(const TypeName &owner); ///< to its name, in its module
  Module *module(std::string_view full_name);

  TypeContext types_;
  SourceMap sources_;
  CompilerWorld world_{types_, sources_};
  Interpreter interpreter_{world_};
  julia::JuliaFrontend frontend_{{world_, interpreter_}};
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Method *>> methods_; ///< by file and place
};

} // namespace kiln::embed
