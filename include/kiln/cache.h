// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder of the persistent cache, without a session: statistics, eviction, archives, verification, and
// reasons for misses. docs/cache.md describes the folder; `kiln cache` prints the results of this header.
#pragma once

#include <kiln/export.h>
#include <kiln/precompile.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// The folder that a session with these options uses, as the options or the environment name it. Empty: none.
KILN_API std::string cache_folder_path(const SessionOptions &options);

struct CacheStatistics {
  size_t entries = 0;
  uint64_t bytes = 0;            ///< size of all entries
  uint64_t hits = 0, misses = 0; ///< of all sessions that have closed
  /// Last use of the least recently used entry, rounded down to the hour. Nothing: there is no entry.
  std::optional<std::chrono::system_clock::time_point> oldest_use = {};
};

struct CacheSweep {
  size_t entries = 0; ///< before
  size_t dropped = 0;
};

struct CacheExport {
  size_t entries = 0;
  /// Kernels that have no cubin of their own, since they were assembled together with others
  /// (PrecompileOptions::merge). Archives hold no merged cubin: it is for launches with its folder only.
  size_t without_cubin = 0;
};

struct CacheImport {
  size_t entries = 0;      ///< entries now in the folder
  size_t damaged = 0;      ///< left out
  size_t lost = 0;         ///< could not be kept: disk full, budget too small, or folder not writable
  bool is_cut_off = false; ///< the archive ends within an entry
};

/// Result of verify(). Damaged and wrong entries have been dropped from the folder.
struct VerifyReport {
  size_t entries = 0, artifacts = 0; ///< undamaged entries, and the artifacts among them
  std::vector<std::string> damaged;  ///< keys of entries with a wrong checksum: 32 hexadecimal digits
  size_t checked = 0;                ///< entries that were made again
  size_t absent = 0;                 ///< jobs that the folder does not hold
  size_t without_text = 0;           ///< cubins of several kernels, not all of whose texts the folder holds
  size_t others = 0;                 ///< made with another libdevice or assembler than this machine's
  std::vector<std::string> wrong;    ///< entries that a fresh compile does not reproduce, for people
  std::vector<std::string> unable;   ///< jobs that do not compile here, with the reason, for people
};

/// The entries that a folder holds for a job. Times are in milliseconds.
struct CacheExplanation {
  std::string key;             ///< of the artifact: 32 hexadecimal digits
  bool is_hit = false;         ///< the folder holds the artifact
  bool is_other_entry = false; ///< a miss: the key's entry holds no artifact
  uint64_t bytes = 0;          ///< size of the artifact
  double compile_ms = 0;       ///< a hit: of the compile that made it; a miss: of the compile made now
  struct Nearest {             ///< the artifact of the folder that differs least
    std::string function, arguments;
    double compile_ms = 0;
    std::vector<std::string> differences; ///< "opt_level: 2 there, 3 here", for people
  };
  std::optional<Nearest> nearest = {}; ///< for a miss; empty: the folder holds no artifact
  struct Cubin {
    std::string key;
    bool is_hit = false;
    uint64_t bytes = 0;
    std::string assembler;       ///< a hit: the one that made the cubin; a miss: this machine's
    std::string other_assembler; ///< a miss: the folder has a cubin of the same text by this one
    double assemble_ms = 0;      ///< as compile_ms; 0 if nothing was assembled
    std::string not_assembled;   ///< a miss: the reason why there is no time
  };
  std::optional<Cubin> cubin = {}; ///< if the product is a cubin
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through a folder.
consteval auto cache_structures() {
  return std::array{
      KILN_STRUCTURE(SessionOptions),   KILN_STRUCTURE(CacheStatistics), KILN_STRUCTURE(CacheSweep),
      KILN_STRUCTURE(CacheExport),      KILN_STRUCTURE(CacheImport),     KILN_STRUCTURE(VerifyReport),
      KILN_STRUCTURE(CacheExplanation), KILN_STRUCTURE(PrecompileJob),   KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// A folder of the persistent cache. Sessions, other processes and other objects may use the folder at the
/// same time. Cheap to copy, thread-safe. A folder that does not exist is empty. statistics, sweep, clear,
/// export_to and verify report Machine for a folder that exists and cannot be used: it is no directory, not
/// readable, or writable by others.
class KILN_API CacheFolder {
public:
  /// The folder of cache_folder_path(), with the budget, the log and the shared folder of the options, whose
  /// targets must outlive it. Creates nothing on disk. Error: Usage for a bad value, or if no folder is
  /// named, or for headers of another version.
  KILN_HEADER_INLINE static Result<CacheFolder> open(const SessionOptions &options) {
    const auto structures = detail::cache_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<CacheFolder> open(const SessionOptions &options, const ProgramHeaders &headers);

  const std::string &path() const; ///< absolute
  uint64_t budget() const;         ///< maximum size in bytes
  bool exists() const;
  bool is_usable() const;            ///< exists, and sessions use it
  Result<void> check_usable() const; ///< Error: Machine, as above

  Result<CacheStatistics> statistics() const;
  /// Drops the least recently used entries until the folder is within its budget, and leftovers of writers
  /// that have ended. Error: Machine also if another process sweeps the folder now.
  Result<CacheSweep> sweep() const;
  Result<CacheSweep> clear() const; ///< the same for all entries

  /// Writes every entry to one file, whole or not at all. Errors: Machine also for a folder that does not
  /// exist; Input for a file that cannot be written.
  Result<CacheExport> export_to(const std::string &file) const;
  /// Writes every entry to an OCI image layout: an image of one layer with the entries below
  /// /var/cache/kiln, which its environment names as KILN_SHARED_CACHE_DIR. Whole or not at all. Equal
  /// entries give equal bytes. Merged cubins are included. Errors: Machine also for a folder without entries;
  /// Input for a `folder` that exists and is not empty, or cannot be written.
  Result<CacheExport> export_image(const std::string &folder) const;
  /// Takes the undamaged entries of a file that export_to wrote. Errors: Input for a file that cannot be
  /// read, is no archive, or has another version of the format.
  Result<CacheImport> import_from(const std::string &file) const;

  /// Checks every entry's checksum. If there is an assembler, it then assembles `sample` of the PTX texts,
  /// and as many of the merged cubins, again, and compares the results. Errors: those of Session::open.
  Result<VerifyReport> verify(size_t sample) const;
  /// Checks every entry's checksum. Then compiles up to `sample` of the jobs in sessions without a cache and
  /// compares the results. The jobs' identities decide which. Errors: those of Session::open and load_files.
  Result<VerifyReport> verify(std::span<const PrecompileJob> jobs, size_t sample) const;

  /// Looks for a job's product in this folder and the shared one. On a miss the session compiles the job to
  /// measure the cost; open it with an empty cache_dir and shared_cache_dir, otherwise it stores the result.
  /// `product`: Assembly, Object or Cubin. Errors: Usage for another product or another session's job; those
  /// of Session::compile.
  Result<CacheExplanation> explain(Session &session, const Job &job, ArtifactKind product) const;

  struct KILN_LOCAL State; ///< for Kiln itself

private:
  KILN_LOCAL explicit CacheFolder(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
