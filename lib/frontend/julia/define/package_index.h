// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which statements of a package do nothing but define methods, and of which functions: what a process that
// loads it finds out, and the next ones know from the session's store. They read such statements when
// somebody asks for the methods of one of those functions, as Kiln's own library is read.
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

/// Of one package, under a key of everything that loading it rests on but the files that it includes: those
/// it names with their digests, and they are looked at before anything of it is used.
struct PackageIndex {
  /// A function, or a type whose constructors or calls the methods are.
  struct Owner {
    std::string module, name; ///< the module's full name
    bool is_function = false;
    bool operator==(const Owner &) const = default;
  };
  struct Statement {
    uint32_t begin = 0, end = 0; ///< offsets in the file
    uint32_t methods = 0;        ///< how many it defines
    std::vector<uint32_t> owners;
    struct Skipped {
      std::string what;
      uint32_t begin = 0, end = 0;
    };
    std::vector<Skipped> skipped; ///< what is in it that is not done when it is defined (LoadReport::skipped)
  };
  struct File {
    std::string path; ///< relative to the folder of the package's file, so that a depot may be moved
    Fingerprint text;
    std::vector<std::string> triggers; ///< of library files, that names of the text have met
    std::vector<Statement> later;      ///< in the order of the text
    bool is_included_twice = false; ///< its statements may mean other functions each time: none of them waits
  };
  std::vector<Owner> owners;
  std::vector<File> files;

  uint32_t owner(Owner wanted); ///< its place in `owners`, where it is put if it is not there
  File *find(std::string_view path);

  std::string write() const;
  /// Errors (Input): whatever write did not write.
  static Result<PackageIndex> read(std::string_view bytes);

private:
  std::unordered_map<std::string, uint32_t> places_;
};

/// A package that is being loaded: its index is followed, or made.
struct IndexedPackage {
  PackageIndex index;
  Fingerprint key; ///< under which the session keeps the index
  bool is_followed = false;
  std::string folder;
  std::unordered_map<std::string, std::string> texts; ///< followed: of its files, which are what they were
  std::string relative(const std::string &path) const;
  Fingerprint content() const;      ///< of all its files
  std::vector<TypeRef> owner_types; ///< followed: of index.owners, null: not looked up yet
};

} // namespace kiln::julia
