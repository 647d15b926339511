// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Store in a folder, which outlives the process. Processes, users of one account and hosts may share it.
//
//   DIR/v1/ab/cdef...      an entry; its name is the key in hexadecimal. It has no paths: folders can move.
//   DIR/v1/ab/.tmp-...     an entry during writing
//   DIR/v1/size            its length in bytes is the folder's size in blocks of 4 kB, about; writers append
//   DIR/v1/sweep.lock      held by the evicting process
//   DIR/v1/locks           one byte per key, locked by the compiling process (try_lock)
//   DIR/v1/counts          hits and misses, 16 bytes per session
//
// Writers write an entry under a temporary name and rename it. They do not sync it to the disk. A power
// failure may cut an entry off, which its checksum reveals. The kernel's locks (flock, open file description
// locks) end with their holder.
#pragma once

#include "blob_store.h"

#include <sys/stat.h>

namespace kiln {

/// A file descriptor that closes itself.
struct FileHandle {
  int fd = -1;
  explicit FileHandle(int fd) : fd(fd) {}
  FileHandle(const FileHandle &) = delete;
  FileHandle &operator=(const FileHandle &) = delete;
  ~FileHandle();
};
using FilePtr = std::shared_ptr<const FileHandle>;

/// Returns true if only this user and root can write, or could have written, the file or folder.
bool is_trusted(const struct stat &status);

/// Path of an entry in a cache folder: "v1/ab/cdef...".
std::string entry_path(Fingerprint key);

struct FolderOptions {
  static constexpr uint64_t default_budget = uint64_t(1) << 30;
  std::string path;
  uint64_t budget = default_budget; ///< bytes of entries; the least recently used are dropped
  bool read_only = false;
  /// Called once per cause with a problem that prevents the folder's use. From any thread.
  std::function<void(const std::string &)> warn = {};
};

/// Thread-safe. The cost of opening does not depend on the number of entries. The first put makes the folder.
/// An entry is code. The store therefore refuses a folder that other users can write to, or that belongs to
/// neither this user nor root. The same check holds for each subfolder and entry.
class FolderStore final : public BlobStore {
public:
  explicit FolderStore(FolderOptions options);
  ~FolderStore() override;
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;

  /// A key's lock, held by one process at a time: the one that compiles the key. `held` owns the lock.
  /// try_lock never waits.
  struct KeyLock {
    enum class State {
      Held,
      Busy,
      Unavailable
    } state = State::Unavailable; ///< Unavailable: no locks here, go on without them
    std::shared_ptr<void> held;
  };
  KeyLock try_lock(Fingerprint key);

  // ---- for `kiln cache`
  struct EntryFile {
    Fingerprint key;
    uint64_t bytes = 0;
    int64_t used = 0; ///< last use in nanoseconds since 1970, to the hour
  };
  struct Counts {
    uint64_t hits = 0, misses = 0;
  };
  const FolderOptions &options() const { return options_; }
  bool is_usable(); ///< exists and is trusted
  std::vector<EntryFile> list();
  Counts counts(); ///< of all ended sessions
  /// Adds a session's counts.
  void add_counts(Counts counts);
  /// Drops the least recently used entries until `budget` bytes are left, and files of dead writers. False:
  /// another process is sweeping, or the folder cannot be used.
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

/// Calls a POSIX function again after EINTR.
template <class F> auto retry(F &&call) {
  for (;;) {
    auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

} // namespace kiln
