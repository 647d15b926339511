// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Index of a package: the statements that only define methods, and the functions that they define methods of.
// The first process that loads the package makes it; later ones read it from the session's store. They parse
// such a statement only when methods of one of its functions are looked up, as for Kiln's own library.
#pragma once

#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/type.h>
#include <kiln/result.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kiln::julia {

/// Index of one package. Its key covers all inputs of loading the package except the included files. Those
/// are listed with their digests, which are checked before the index is used.
struct PackageIndex {
  /// A function, or a type with constructors or call methods.
  struct Owner {
    std::string module, name; ///< full name of the module
    bool is_function = false;
    bool operator==(const Owner &) const = default;
  };
  struct Statement {
    uint32_t begin = 0, end = 0; ///< offsets in the file
    uint32_t methods = 0;        ///< number of methods that it defines
    std::vector<uint32_t> owners;
    struct Skipped {
      std::string what;
      uint32_t begin = 0, end = 0;
    };
    std::vector<Skipped> skipped; ///< parts without effect when it is evaluated (LoadReport::skipped)
  };
  struct File {
    std::string path; ///< relative to the package file's folder, so that depots can be moved
    Fingerprint text;
    std::vector<std::string> triggers; ///< of library files, found in the text
    std::vector<Statement> later;      ///< postponed statements in text order
    bool is_included_twice = false; ///< statements may refer to other functions each time: none is postponed
  };
  std::vector<Owner> owners;
  std::vector<File> files;

  uint32_t owner(Owner wanted); ///< index in `owners`; added if missing
  File *find(std::string_view path);

  std::string write() const;
  /// Errors (Input): not the output of write().
  static Result<PackageIndex> read(std::string_view bytes);

private:
  std::unordered_map<std::string, uint32_t> places_;
};

/// A package that is being loaded; its index is either followed or made.
struct IndexedPackage {
  PackageIndex index;
  Fingerprint key; ///< key of the index in the session's store
  bool is_followed = false;
  std::string folder;
  std::unordered_map<std::string, std::string> texts; ///< when followed: texts of its unchanged files
  std::string relative(const std::string &path) const;
  Fingerprint content() const;      ///< digest of all its files
  std::vector<TypeRef> owner_types; ///< when followed: types of index.owners; null: not looked up yet
};

} // namespace kiln::julia
