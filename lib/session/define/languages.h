// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <frontend/frontend.h>
#include <interp/interp.h>
#include <job/job.h>
#include <kiln/extension/language/internal/library_file.h>
#include <kiln/packages.h>

#include <memory>
#include <string_view>
#include <vector>

namespace kiln {

namespace julia {
class JuliaFrontend;
}

/// Languages of a session: Julia and the embedder's languages. Adding languages is not thread-safe.
/// Definitions::mutex serialises calls of frontends. While evaluated code of one thread waits for a device,
/// another thread may call the same frontend.
class Languages {
public:
  /// Adds Julia, which is the language of calls until choose() sets another one.
  Languages(const LanguageHost &host, std::span<const LibraryFile> host_files);
  /// Removes the printer, which may refer to a language.
  ~Languages() { world_.types().set_printer(nullptr); }
  Languages(const Languages &) = delete;
  Languages &operator=(const Languages &) = delete;

  /// Adds a language. `given` is the embedder's object, which find() returns. `file` is the path of the
  /// language's library for messages; may be empty. Error: Usage for a duplicate name or file extension.
  Result<void> add(std::unique_ptr<Frontend> language, Frontend *given, const std::string &file = {});
  /// Sets the language of calls, expressions, and texts with an unknown file extension. Error: Usage, with
  /// the available names.
  Result<void> choose(std::string_view name);
  void find_packages(const PackageOptions &options); ///< only Julia has packages
  Result<void> load_libraries(const TargetList &targets);
  /// Error (Usage), which names the library `name`: there are definitions besides those of libraries.
  Result<void> check_only_libraries(const std::string &name) const;
  /// Adds the text of a library that was just loaded to library_digest().
  void add_library(const std::string &name, std::string_view text);
  bool has(std::string_view name) const;
  std::string names() const; ///< all names: "julia, lisp"
  /// Returns a digest of the texts of the embedder's libraries; empty if there are none. All keys of the
  /// persistent cache contain it, because the cache does not check methods of these libraries again.
  const std::string &library_digest() const { return library_digest_; }

  Frontend *find(std::string_view name) const; ///< the embedder's object; null: unknown name
  Frontend &of_calls() const { return *chosen_; }
  KILN_PROGRAMS_API Frontend &of_file(std::string_view file_name) const; ///< by its extension

private:
  void add_text(const std::string &name, std::string_view text);

  CompilerWorld &world_;
  std::vector<std::unique_ptr<Frontend>> languages_;
  std::vector<Frontend *> given_; ///< the embedder's object of each language
  Frontend *chosen_;
  julia::JuliaFrontend *julia_; ///< first of the languages
  std::string library_digest_;
  WorldAge libraries_end_ = 0; ///< world after the last definition of a library
};

} // namespace kiln
