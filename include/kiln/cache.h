// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and maintains the folder of the persistent cache without a session: statistics, eviction, archives,
// verification, and explanations of misses. docs/cache.md describes the folder. The command `kiln cache`
// prints the results of these functions.
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

/// Returns the path of the cache's folder for a session with these options, from the options or the
/// environment. Empty: the session uses no folder.
KILN_API std::string cache_folder_path(const SessionOptions &options);

struct CacheStatistics {
  size_t entries = 0;
  uint64_t bytes = 0;            ///< size of all entries
  uint64_t hits = 0, misses = 0; ///< summed over all sessions that have closed
  /// Last use of the least recently used entry, rounded down to the hour. No value: there are no entries.
  std::optional<std::chrono::system_clock::time_point> oldest_use = {};
  /// Products that sessions compiled since the folder had none, by cause.
  struct Made {
    uint64_t new_code = 0;             ///< no record of this function with these types by this build
    uint64_t changed_callees = 0;      ///< what the function calls differs from the record
    uint64_t other_options = 0;        ///< known code with other options, or a product that was dropped
    uint64_t other_device_library = 0; ///< the folder's product was made with another device library
    uint64_t new_text = 0;             ///< PTX that this assembler had not assembled
  } made = {};
};

/// An entry of the folder.
struct CacheEntry {
  std::string key; ///< 32 hexadecimal digits
  /// A product as `--emit` names it ("asm", "obj", "cubin"), "merged cubin", "edges" (what a job's code
  /// reaches), "text" (a fact about a file), "member" (a kernel of a merged cubin), or "damaged".
  std::string kind;
  std::string job;       ///< "f(Float32, Int64)"; of a cubin the symbol of its entry; may be empty
  std::string target;    ///< "ptx sm_90"; may be empty
  std::string build;     ///< of Kiln; of a cubin, the assembler; may be empty
  double compile_ms = 0; ///< cost of making the product
  uint64_t bytes = 0;    ///< size of the entry
  std::chrono::system_clock::time_point last_use; ///< rounded down to the hour
};

struct CacheSweep {
  size_t entries = 0; ///< before
  size_t dropped = 0;
};

struct CacheExport {
  size_t entries = 0;
  /// Kernels that have no cubin of their own, since they were assembled together with others
  /// (PrecompileOptions::merge). Archives do not contain the cubin of several kernels, which serves only
  /// launches with this folder.
  size_t without_cubin = 0;
};

struct CacheImport {
  size_t entries = 0; ///< imported entries that the folder holds now
  size_t damaged = 0; ///< damaged entries, left out
  size_t lost = 0; ///< entries that could not be stored: disk full, budget too small, or folder not writable
  bool is_cut_off = false; ///< the archive ends within an entry
};

/// Result of verify(). Damaged and wrong entries have been dropped from the folder.
struct VerifyReport {
  size_t entries = 0, artifacts = 0; ///< undamaged entries, and the number of artifacts among them
  std::vector<std::string> damaged;  ///< keys of entries with a wrong checksum: 32 hexadecimal digits
  size_t checked = 0;                ///< entries that were compiled again and compared
  size_t absent = 0;                 ///< jobs that the folder does not hold
  /// Cubins of several kernels, not checked since the folder lacks the PTX of some kernels.
  size_t without_text = 0;
  size_t others = 0;               ///< entries not checked, since another libdevice or assembler made them
  std::vector<std::string> wrong;  ///< entries that a fresh compile does not reproduce, as text for people
  std::vector<std::string> unable; ///< jobs that do not compile on this machine, with the reason
};

/// The entries that a folder holds for a job. Times are in milliseconds.
struct CacheExplanation {
  std::string key;             ///< key of the artifact: 32 hexadecimal digits
  bool is_hit = false;         ///< the folder holds the artifact
  bool is_other_entry = false; ///< a miss although the key has an entry: it holds another kind of data
  uint64_t bytes = 0;          ///< size of the artifact
  double compile_ms = 0;       ///< time of the compile: on a hit the recorded one, on a miss the one made now
  struct Nearest {             ///< the stored artifact that is most similar by its key's fields
    std::string function, arguments;
    double compile_ms = 0;
    std::vector<std::string> differences; ///< "opt_level: 2 there, 3 here", for people
  };
  std::optional<Nearest> nearest = {}; ///< set on a miss, if the folder holds any artifact
  struct Cubin {
    std::string key;
    bool is_hit = false;
    uint64_t bytes = 0;
    std::string assembler; ///< a hit: the assembler that made the cubin; a miss: this machine's
    /// A miss: assembler of a stored cubin of the same PTX; empty: there is none.
    std::string other_assembler;
    /// Time of assembling, recorded or made now like compile_ms; 0: nothing was assembled.
    double assemble_ms = 0;
    std::string not_assembled; ///< a miss without assemble_ms: the reason
  };
  std::optional<Cubin> cubin = {}; ///< set if the product is a cubin
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through this header. The library compares them
/// to detect headers of another version.
consteval auto cache_structures() {
  return std::array{KILN_STRUCTURE(SessionOptions), KILN_STRUCTURE(CacheStatistics),
                    KILN_STRUCTURE(CacheSweep),     KILN_STRUCTURE(CacheExport),
                    KILN_STRUCTURE(CacheImport),    KILN_STRUCTURE(VerifyReport),
                    KILN_STRUCTURE(CacheEntry),     KILN_STRUCTURE(CacheExplanation),
                    KILN_STRUCTURE(PrecompileJob),  KILN_STRUCTURE(Diagnostic)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// A folder of the persistent cache. Sessions, other processes and other objects may use the folder at the
/// same time. Cheap to copy, thread-safe. A folder that does not exist counts as empty. statistics, entries,
/// sweep, clear, export_to and verify report Machine for a folder that exists and cannot be used: it is no
/// directory, not readable, or writable by others.
class KILN_API CacheFolder {
public:
  /// Opens the folder of cache_folder_path(options), with the budget, the log and the shared folder of the
  /// options. SessionOptions::targets must outlive the object. Creates nothing on disk. Error: Usage for a
  /// bad value, or if no folder is named, or for headers of another version.
  KILN_HEADER_INLINE static Result<CacheFolder> open(const SessionOptions &options) {
    const auto structures = detail::cache_structures();
    return open(options, {KILN_VERSION, structures});
  }
  static Result<CacheFolder> open(const SessionOptions &options, const ProgramHeaders &headers);

  const std::string &path() const; ///< absolute
  uint64_t budget() const;         ///< maximum size in bytes
  bool exists() const;
  bool is_usable() const;            ///< the folder exists and sessions can use it
  Result<void> check_usable() const; ///< Error: Machine, as above

  Result<CacheStatistics> statistics() const;
  /// Sets the hits, misses and causes of statistics() to 0. Error: Machine also for a folder that cannot be
  /// written to.
  Result<void> reset_statistics() const;
  /// All entries by key. Entries that another process drops meanwhile are left out. Does not count as a use.
  Result<std::vector<CacheEntry>> entries() const;
  /// Drops the least recently used entries until the folder is within its budget, and leftovers of writers
  /// that have ended. Error: Machine also if another process sweeps the folder now.
  Result<CacheSweep> sweep() const;
  Result<CacheSweep> clear() const; ///< the same for all entries

  /// Writes every entry to one archive file; a failure leaves no partial file. Errors: Machine also for a
  /// folder that does not exist; Input for a file that cannot be written.
  Result<CacheExport> export_to(const std::string &file) const;
  /// Writes every entry to `folder` as an OCI container image with one layer. The image holds the entries
  /// below /var/cache/kiln and sets KILN_SHARED_CACHE_DIR to that path. A failure leaves no partial image.
  /// Equal entries give equal bytes. Cubins of several kernels are included. Errors: Machine also for a
  /// folder without entries; Input for a `folder` that exists and is not empty, or cannot be written.
  Result<CacheExport> export_image(const std::string &folder) const;
  /// Adds the undamaged entries of an archive that export_to wrote to the folder. Errors: Input for a file
  /// that cannot be read, is no archive, or has another version of the format.
  Result<CacheImport> import_from(const std::string &file) const;

  /// Checks every entry's checksum. Then assembles up to `sample` cubins of one kernel and up to `sample`
  /// cubins of several kernels again, if there is an assembler, and compares the results. Errors: those of
  /// Session::open.
  Result<VerifyReport> verify(size_t sample) const;
  /// Checks every entry's checksum. Then compiles up to `sample` of the jobs in sessions without a cache and
  /// compares the results. The choice depends only on the jobs, so that repeated runs check the same ones.
  /// Errors: those of Session::open and load_files.
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
