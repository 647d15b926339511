// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Store in a folder, which outlives the process. Processes, users of one account and hosts may share it.
//
//   DIR/v1/ab/cdef...      an entry, named by its key in hexadecimal; contains no paths, so that DIR can move
//   DIR/v1/ab/.tmp-...     an entry that is being written
//   DIR/v1/size            its length in bytes is about the folder's size in 4 kB blocks; writers append
//   DIR/v1/sweep.lock      held by the evicting process
//   DIR/v1/locks           one byte per key, locked by the compiling process (try_lock)
//   DIR/v1/counts          hits and misses, 16 bytes per session; many records are summed into one
//   DIR/v1/made            compiled products by MissCause, 8 bytes per cause and session; also summed
//
// Writers write an entry under a temporary name and rename it. They do not sync the file to the disk. A power
// failure may truncate an entry, which its checksum reveals. The kernel's locks (flock, open file description
// locks) end with the process that holds them.
#pragma once

#include "blob_store.h"

#include <array>
#include <sys/stat.h>

namespace kiln {

/// Reason why the folder had no product, so that a session compiled it. The order is the file's.
enum class MissCause : uint8_t {
  NewCode,            ///< no record of this function with these types by this build
  ChangedCallees,     ///< the record of what the function calls no longer holds
  OtherOptions,       ///< the code is known, but not this product with these options; or it was dropped
  OtherDeviceLibrary, ///< the product was made with another device library
  NewText,            ///< this assembler has not assembled the text of a kernel
};
inline constexpr size_t num_miss_causes = 5;

/// A file descriptor that closes itself.
struct FileHandle {
  int fd = -1;
  explicit FileHandle(int fd) : fd(fd) {}
  FileHandle(const FileHandle &) = delete;
  FileHandle &operator=(const FileHandle &) = delete;
  ~FileHandle();
};
using FilePtr = std::shared_ptr<const FileHandle>;

/// Returns true if only this user and root can change the file or folder: by its owner and permissions.
bool is_trusted(const struct stat &status);

/// Path of an entry in a cache folder: "v1/ab/cdef...".
std::string entry_path(Fingerprint key);

struct FolderOptions {
  static constexpr uint64_t default_budget = uint64_t(1) << 30;
  std::string path;
  /// Maximum bytes of entries; beyond it the least recently used are dropped.
  uint64_t budget = default_budget;
  bool read_only = false;
  /// Called with a message when a problem prevents the folder's use, once per cause. May be called on any
  /// thread.
  std::function<void(const std::string &)> warn = {};
};

/// Store in a folder. Thread-safe. The cost of opening does not depend on the number of entries. The first
/// put() makes the folder. Entries contain code that will run. The store therefore refuses a folder that
/// other users can write to, or that belongs to neither this user nor root. The same check holds for each
/// subfolder and entry.
class FolderStore final : public BlobStore {
public:
  explicit FolderStore(FolderOptions options);
  ~FolderStore() override;
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;

  /// Result of try_lock(). The process that compiles a key locks it. `held` unlocks the key in its
  /// destructor. try_lock() never waits.
  struct KeyLock {
    enum class State {
      Held,
      Busy,
      Unavailable
    } state = State::Unavailable; ///< Unavailable: the file system has no locks, compile without one
    std::shared_ptr<void> held;
  };
  KeyLock try_lock(Fingerprint key);

  // ---- for `kiln cache`
  struct EntryFile {
    Fingerprint key;
    uint64_t bytes = 0;
    int64_t used = 0; ///< time of the last use in nanoseconds since 1970, accurate to the hour
  };
  struct Counts {
    uint64_t hits = 0, misses = 0;
    std::array<uint64_t, num_miss_causes> made{}; ///< by MissCause
  };
  const FolderOptions &options() const { return options_; }
  bool is_usable(); ///< exists and is trusted
  std::vector<EntryFile> list();
  Counts counts(); ///< of all ended sessions
  /// Adds a session's counts.
  void add_counts(const Counts &counts);
  /// Drops all counts. Sessions that end later add theirs. False: the folder cannot be written to.
  bool reset_counts();
  /// Drops the least recently used entries until `budget` bytes are left, and temporary files of writers that
  /// died. Returns false if another process is sweeping, or if the folder cannot be used.
  bool sweep(uint64_t budget);

private:
  FilePtr root(bool make);
  FilePtr open_root(bool make);
  void lose_root(const FilePtr &root);
  bool may_use_subfolder(const FilePtr &root, Fingerprint key);
  std::optional<std::string> read_entry(Fingerprint key);
  bool write_entry(const Blob &blob);
  int write_file(int root, const Blob &blob);
  void grow(uint64_t bytes);
  void warn(std::string_view doing, int code);
  void warn_once(const std::string &cause, const std::string &message);

  const FolderOptions options_;
  std::mutex mutex_; ///< guards the fields below
  FilePtr root_, locks_;
  bool is_refused_ = false;
  std::vector<std::string> warned_;
  std::atomic<uint64_t> names_{0};
};

/// Calls a POSIX function, and repeats the call while it fails with EINTR.
template <class F> auto retry(F &&call) {
  for (;;) {
    auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

} // namespace kiln
