// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries in a folder that outlives the process, and that processes, users of one account and hosts may
// share.
//
//   DIR/v1/ab/cdef...      an entry: its key in hexadecimal is its name; nothing in it names a place, so a
//   folder may be moved DIR/v1/ab/.tmp-...     one that is being written DIR/v1/size            as many bytes
//   long as the folder holds blocks of 4 kB, about: each writer appends (no lock needed) DIR/v1/sweep.lock
//   held by the one that evicts DIR/v1/locks           a byte a key, locked by who compiles it (key_lock)
//   DIR/v1/counts          hits and misses, 16 bytes a session
//
// An entry is written beside its place and renamed. It is not synchronised to the disk: after a power failure
// it may be cut off, which its checksum shows. Locks are the kernel's (flock, open file description locks),
// so they end with their holder.
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

/// Nobody but this user and root can have written the file or folder, nor can.
bool is_trusted(const struct stat &status);

/// An entry's place in a cache folder: "v1/ab/cdef...".
std::string entry_path(Fingerprint key);

struct FolderOptions {
  static constexpr uint64_t default_budget = uint64_t(1) << 30;
  std::string path;
  uint64_t budget = default_budget; ///< bytes of entries; what was used longest ago goes
  bool read_only = false;
  /// Is told, once a cause, of what keeps the folder from being used. From any thread.
  std::function<void(const std::string &)> warn = {};
};

/// Thread-safe. Opening it costs the same for any number of entries; the folder is made when something is
/// first put there. One that others than its owner can write to, or that belongs to another user than this
/// one or root, is not used: an entry is code. The same holds for each of its subfolders, and each entry.
class FolderStore final : public BlobStore {
public:
  explicit FolderStore(FolderOptions options);
  ~FolderStore() override;
  void get(std::vector<Fingerprint> keys, StoreClock::time_point until,
           std::function<void(Found)> done) override;
  void put(std::vector<Blob> blobs, StoreClock::time_point until) override;

  /// One process at a time holds a key's lock: the one that compiles it. `held`: until the pointer goes.
  /// Nobody waits here.
  struct KeyLock {
    enum class State {
      Held,
      Busy,
      Unavailable
    } state = State::Unavailable; ///< Unavailable: no locks here, go on without
    std::shared_ptr<void> held;
  };
  KeyLock try_lock(Fingerprint key);

  // ---- for `kiln cache`
  struct EntryFile {
    Fingerprint key;
    uint64_t bytes = 0;
    int64_t used = 0; ///< nanoseconds since 1970, of its last use, to the hour
  };
  struct Counts {
    uint64_t hits = 0, misses = 0;
  };
  const FolderOptions &options() const { return options_; }
  bool is_usable(); ///< it is there, and may be used
  std::vector<EntryFile> list();
  Counts counts(); ///< of all sessions that have ended
  /// Adds a session's, for counts().
  void add_counts(Counts counts);
  /// Drops what was used longest ago until `budget` bytes are left, and leftovers of writers that are gone.
  /// False: another process does it just now, or the folder cannot be used.
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
  std::mutex mutex_; ///< of what follows
  FilePtr root_, locks_;
  bool is_refused_ = false;
  std::vector<std::string> warned_;
  std::atomic<uint64_t> names_{0};
};

/// What POSIX calls return, tried again where a signal came first.
template <class F> auto retry(F &&call) {
  for (;;) {
    auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

} // namespace kiln
