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

/// The languages of a session: Julia, and those that the embedder brought. Not thread-safe while languages
/// are added; a frontend's own functions are called one at a time (Definitions::mutex). While
/// evaluated code waits for a device, another thread may call them in between.
class Languages {
public:
  /// With Julia, which is that of calls until another is chosen.
  Languages(const LanguageHost &host, std::span<const LibraryFile> host_files);
  ~Languages() { world_.types().set_printer(nullptr); } ///< it may refer to a language
  Languages(const Languages &) = delete;
  Languages &operator=(const Languages &) = delete;

  /// `given`: the language as the embedder made it, for find(). `file`: the library that it is from, for
  /// messages; may be empty. Error: Usage, for a second language of that name, or a second one for an
  /// extension.
  Result<void> add(std::unique_ptr<Frontend> language, Frontend *given, const std::string &file = {});
  /// The language of calls, expressions, and texts whose names no language claims. Error: Usage, with the
  /// names that there are.
  Result<void> choose(std::string_view name);
  void find_packages(const PackageOptions &options); ///< Julia's alone has packages
  Result<void> load_libraries(const TargetList &targets);
  bool has(std::string_view name) const;
  std::string names() const; ///< of all of them: "julia, lisp"
  /// Of the texts of the embedder's languages' libraries, whose methods no cache looks at again: part of
  /// every key that outlives the process. Empty where there are none.
  const std::string &library_digest() const { return library_digest_; }

  Frontend *find(std::string_view name) const; ///< as the embedder made it; null: none of that name
  Frontend &of_calls() const { return *chosen_; }
  KILN_PROGRAMS_API Frontend &of_file(std::string_view file_name) const; ///< by its extension

private:
  CompilerWorld &world_;
  std::vector<std::unique_ptr<Frontend>> languages_;
  std::vector<Frontend *> given_; ///< of each language
  Frontend *chosen_;
  julia::JuliaFrontend *julia_; ///< the first
  std::string library_digest_;
};

} // namespace kiln
