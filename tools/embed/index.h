// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The index of the library's files: which statements a session must evaluate when it opens, and which can
// wait until the methods of a function or type are asked for. Found out by evaluating all of them and looking
// where methods went.
#pragma once

#include <interp/interp.h>
#include <julia/julia.h>

namespace kiln::embed {

/// Files that are loaded one after the other into one module.
struct FileList {
  std::string name, module, overlay; ///< "ptx_overlay", "CUDA", "ptx"
  std::vector<std::string> paths;
};

/// As EmbeddedSource, but with what it refers to.
struct IndexedFile {
  struct Callee {
    std::string name;
    uint16_t module = 0;
    bool is_function = true;
    std::vector<uint16_t> statements;
  };
  std::string path;
  std::shared_ptr<const SourceFile> source;
  std::vector<std::string> modules;
  std::vector<EmbeddedStatement> now, later;
  std::vector<Callee> callees;
  uint16_t module(const std::string &full_name); ///< its index
};

class Indexer {
public:
  /// All files of all lists, in their order. Errors: what does not load, or is written so that it cannot
  /// wait.
  Result<std::vector<std::vector<IndexedFile>>> index(std::span<const FileList> lists);

private:
  Result<void> load(const FileList &list, std::vector<IndexedFile> &files);
  Result<void> index(IndexedFile &file, bool is_overlay);
  Result<void> place(IndexedFile &file, const julia::JuliaFrontend::TopLevel &statement, bool is_overlay);
  bool is_bound(const TypeName &owner); ///< to its name, in its module
  Module *module(std::string_view full_name);

  TypeContext types_;
  SourceMap sources_;
  World world_{types_, sources_};
  Interpreter interpreter_{world_};
  julia::JuliaFrontend frontend_{{world_, interpreter_}};
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Method *>> methods_; ///< by file and place
};

} // namespace kiln::embed
