// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index of a package: the statements that only define methods, and the functions whose methods they define.
// The first process that loads a package makes its index. Later processes read it from the session's store.
// They parse such a statement only when methods of one of its functions are looked up, as for Kiln's own
// library.
#pragma once

#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/internal/call_shape.h>
#include <kiln/extension/language/type.h>
#include <kiln/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::julia {

/// Index of one package. Its key covers everything that loading the package depends on, except for included
/// files. These are listed with their digests, which are checked before the index is used.
struct PackageIndex {
  /// Owner of methods: a function, or a type with constructors or call methods.
  struct Owner {
    std::string module, name; ///< full name of the module
    bool is_function = false;
    bool operator==(const Owner &) const = default;
  };
  struct Statement {
    uint32_t begin = 0, end = 0; ///< offsets in the file
    uint32_t methods = 0;        ///< number of methods that the statement defines
    std::vector<uint32_t> owners;
    std::vector<std::vector<CallShape>> shapes; ///< of the methods of each owner, without repetition
    struct Skipped {
      std::string what;
      uint32_t begin = 0, end = 0;
    };
    std::vector<Skipped> skipped; ///< parts of the statement that have no effect (LoadReport::skipped)
  };
  struct File {
    std::string path; ///< relative to the package file's folder, so that depots can be moved
    Fingerprint text;
    std::vector<std::string> triggers; ///< names in the text that load library files
    std::vector<Statement> later;      ///< postponed statements in text order
    /// Included twice: names may differ each time, so no statement is postponed.
    bool is_included_twice = false;
  };
  std::vector<Owner> owners;
  std::vector<File> files;

  uint32_t owner(Owner wanted); ///< index of the owner in `owners`, to which it is added if it is missing
  File *find(std::string_view path);

  std::string write() const;
  /// Decodes an index. Error (Input): the bytes were not made by write().
  static Result<PackageIndex> read(TypeContext &types, std::string_view bytes);

private:
  std::unordered_map<std::string, uint32_t> places_;
};

/// A package that is being loaded. Its index is either used (`is_followed`) or being made.
struct IndexedPackage {
  PackageIndex index;
  Fingerprint key; ///< key of the index in the session's store
  bool is_followed = false;
  std::string folder;
  /// Texts of the package's unchanged files, by path; only if the index is used.
  std::unordered_map<std::string, std::string> texts;
  std::string relative(const std::string &path) const;
  Fingerprint content() const; ///< digest of all its files
  /// Types that index.owners names; null: not looked up yet. Empty unless the index is used.
  std::vector<TypeRef> owner_types;
};

} // namespace kiln::julia
