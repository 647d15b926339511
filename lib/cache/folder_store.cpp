// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "folder_store.h"

#include "entry.h"

#include <support/descriptor.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr const char *layout = "v1";
constexpr int64_t hour = 3600;
constexpr uint64_t always_kept = 64 << 10;

/// Path of an entry below v1: "ab/cdef...". The 256 subfolders keep each folder small.
std::string place_of(Fingerprint key) {
  std::string hex = key.hex();
  return hex.insert(2, 1, '/');
}

/// Blocks SIGXFSZ in this thread while it lives. A write past a file size limit (ulimit -f) then fails with
/// EFBIG, instead of ending the process.
class NoSizeSignal {
public:
  NoSizeSignal() {
    ::sigemptyset(&signal_);
    ::sigaddset(&signal_, SIGXFSZ);
    is_blocked_ = ::pthread_sigmask(SIG_BLOCK, &signal_, &before_) == 0 && !::sigismember(&before_, SIGXFSZ);
  }
  ~NoSizeSignal() {
    if (!is_blocked_) return;
    const timespec at_once{};
    (void)::sigtimedwait(&signal_, nullptr, &at_once); // consume a SIGXFSZ of this write
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSizeSignal(const NoSizeSignal &) = delete;
  NoSizeSignal &operator=(const NoSizeSignal &) = delete;

private:
  sigset_t signal_, before_;
  bool is_blocked_;
};

int write_quietly(int fd, std::string_view bytes) {
  NoSizeSignal guard;
  return write_all(fd, bytes);
}

/// Makes the folder and all missing folders above it. Returns 0, or errno.
int make_folders(const std::string &path) {
  for (size_t at = 1; at <= path.size(); at++) {
    if (at < path.size() && path[at] != '/') continue;
    if (retry([&] { return ::mkdir(path.substr(0, at).c_str(), 0700); }) != 0 && errno != EEXIST) {
      const int code = errno;
      struct stat status;
      if (::stat(path.substr(0, at).c_str(), &status) != 0) return code == ENOENT ? EACCES : code;
    }
  }
  return 0;
}

/// Returns true if this user or root owns the file. Root counts, since it may change any file.
bool is_owned(const struct stat &status) { return status.st_uid == ::geteuid() || status.st_uid == 0; }

/// Text of a warning: the reason why a folder is not trusted, and the fix.
std::string refusal(const struct stat &status) {
  const bool is_own = is_owned(status);
  return fmt::format("is not used: {}, and what lies in it is run ({})",
                     is_own ? "others than its owner can write to it" : "it belongs to another user",
                     is_own ? "chmod go-w, or another folder" : "another folder is wanted");
}

} // namespace

std::string entry_path(Fingerprint key) { return fmt::format("{}/{}", layout, place_of(key)); }

bool is_trusted(const struct stat &status) {
  return is_owned(status) && !(status.st_mode & (S_IWGRP | S_IWOTH));
}

FileHandle::~FileHandle() {
  if (fd >= 0) ::close(fd);
}

FolderStore::FolderStore(FolderOptions options) : options_(std::move(options)) { root(false); }
FolderStore::~FolderStore() = default;

bool FolderStore::is_usable() { return root(false) != nullptr; }

void FolderStore::warn_once(const std::string &cause, const std::string &message) {
  {
    std::lock_guard lock(mutex_);
    if (std::find(warned_.begin(), warned_.end(), cause) != warned_.end()) return;
    warned_.push_back(cause);
  }
  if (options_.warn) options_.warn(message);
}

void FolderStore::warn(std::string_view doing, int code) {
  // Network file systems report the same fault by different codes: warn once for all of them.
  const bool is_network = code == ESTALE || code == EBUSY || code == EIO || code == ETIMEDOUT;
  warn_once(is_network ? "network" : std::to_string(code),
            fmt::format("the cache folder {}: {}: {} (Kiln goes on without)", options_.path, doing,
                        std::strerror(code)));
}

FilePtr FolderStore::root(bool make) {
  {
    std::lock_guard lock(mutex_);
    if (root_ || is_refused_) return root_;
  }
  FilePtr opened = open_root(make && !options_.read_only);
  std::lock_guard lock(mutex_);
  if (!root_) root_ = std::move(opened);
  return root_;
}

/// Closes the open folder after it or its file system disappeared. The next call opens it again.
void FolderStore::lose_root(const FilePtr &root) {
  std::lock_guard lock(mutex_);
  if (root_ != root) return;
  root_.reset();
  locks_.reset();
}

FilePtr FolderStore::open_root(bool make) {
  if (make)
    if (int code = make_folders(options_.path)) {
      warn("it cannot be made", code);
      return nullptr;
    }
  auto open_checked = [&](int at, const char *path) -> FilePtr {
    auto folder = std::make_shared<FileHandle>(
        retry([&] { return open_descriptor_at(at, path, O_RDONLY | O_DIRECTORY); }));
    if (folder->fd < 0) {
      if (errno != ENOENT) warn("it cannot be opened", errno);
      return nullptr;
    }
    struct stat status;
    if (retry([&] { return ::fstat(folder->fd, &status); }) != 0) {
      warn("it cannot be looked at", errno);
      return nullptr;
    }
    if (is_trusted(status)) return folder;
    {
      std::lock_guard lock(mutex_);
      is_refused_ = true;
    }
    warn_once("refused", fmt::format("the cache folder {} {}", options_.path, refusal(status)));
    return nullptr;
  };
  FilePtr outer = open_checked(AT_FDCWD, options_.path.c_str());
  if (!outer) return nullptr;
  if (make && retry([&] { return ::mkdirat(outer->fd, layout, 0700); }) != 0 && errno != EEXIST) {
    warn("it cannot be written to", errno);
    return nullptr;
  }
  return open_checked(outer->fd, layout);
}

/// Returns true if the key's subfolder is trusted, or does not exist yet.
bool FolderStore::may_use_subfolder(const FilePtr &root, Fingerprint key) {
  const std::string name = place_of(key).substr(0, 2);
  struct stat status;
  if (retry([&] { return ::fstatat(root->fd, name.c_str(), &status, 0); }) != 0 || is_trusted(status))
    return true;
  warn_once("subfolder",
            fmt::format("the cache folder {}/{}/{} {}", options_.path, layout, name, refusal(status)));
  return false;
}

// ---- reading

void FolderStore::get(std::vector<Fingerprint> keys, StoreClock::time_point until,
                      std::function<void(Found)> done) {
  Found found(keys.size());
  for (size_t i = 0; i < keys.size() && (i == 0 || StoreClock::now() < until); i++)
    found[i] = read_entry(keys[i]);
  done(std::move(found));
}

std::optional<std::string> FolderStore::read_entry(Fingerprint key) {
  for (int attempt = 0; attempt < 2; attempt++) {
    FilePtr folder = root(false);
    if (!folder || !may_use_subfolder(folder, key)) return std::nullopt;
    FileHandle file(retry([&] {
      return open_descriptor_at(folder->fd, place_of(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    }));
    int code = file.fd < 0 ? errno : 0;
    struct stat status;
    if (!code && retry([&] { return ::fstat(file.fd, &status); }) != 0) code = errno;
    if (!code && (!S_ISREG(status.st_mode) || uint64_t(status.st_size) > max_entry_size + entry_header_size))
      return std::nullopt;
    // A file may belong to another user if others could once write to the folder, or if it was copied with
    // its owner.
    if (!code && !is_trusted(status)) {
      warn_once(
          "entries of others",
          fmt::format(
              "the cache folder {} has entries that another user owns or can write to, as {}: they are not used",
              options_.path, key.hex()));
      return std::nullopt;
    }
    std::string bytes;
    if (!code) {
      bytes.resize(size_t(status.st_size));
      size_t used = 0;
      while (used < bytes.size() && !code) {
        ssize_t got = retry([&] { return ::read(file.fd, bytes.data() + used, bytes.size() - used); });
        if (got < 0) code = errno;
        if (got <= 0) break;
        used += size_t(got);
      }
      bytes.resize(used);
    }
    if (!code) {
      // Set the file's time to the time of this use, at most once an hour. Otherwise each read would cost a
      // write.
      if (!options_.read_only)
        if (time_t now = ::time(nullptr);
            status.st_mtim.tv_sec + hour < now || status.st_mtim.tv_sec > now + hour)
          (void)::futimens(file.fd, nullptr);
      return bytes;
    }
    if (code == ENOENT) return std::nullopt;
    if (code != ESTALE || attempt > 0) {
      warn("an entry cannot be read", code);
      return std::nullopt;
    }
    lose_root(folder); // ESTALE: a network file system was mounted again
  }
  return std::nullopt;
}

// ---- writing

void FolderStore::put(std::vector<Blob> blobs, StoreClock::time_point until) {
  if (options_.read_only) return;
  uint64_t written = 0;
  for (const Blob &blob : blobs) {
    if (StoreClock::now() > until) break;
    // A larger entry is not written: it would evict many others.
    if (blob.bytes.size() <= std::max(options_.budget / 20, always_kept) && write_entry(blob))
      written += blob.bytes.size();
  }
  if (written) grow(written);
}

bool FolderStore::write_entry(const Blob &blob) {
  for (int attempt = 0; attempt < 2; attempt++) {
    FilePtr folder = root(!blob.bytes.empty());
    if (!folder || !may_use_subfolder(folder, blob.key)) return false;
    if (blob.bytes.empty()) {
      (void)retry([&] { return ::unlinkat(folder->fd, place_of(blob.key).c_str(), 0); });
      return false;
    }
    int code = write_file(folder->fd, blob);
    if (code == 0) return true;
    // The folder was removed, or its file system was mounted again: open the folder again and retry.
    if ((code == ENOENT || code == ESTALE) && attempt == 0) {
      lose_root(folder);
      continue;
    }
    warn("an entry cannot be written", code);
  }
  return false;
}

int FolderStore::write_file(int folder, const Blob &blob) {
  std::string place = place_of(blob.key), shard = place.substr(0, 2);
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  std::string temporary =
      fmt::format("{}/.tmp-{}-{}-{}", shard, ::getpid(), now.tv_nsec, names_.fetch_add(1));
  auto open = [&] {
    return retry(
        [&] { return open_descriptor_at(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600); });
  };
  int fd = open();
  if (fd < 0 && errno == ENOENT) {
    if (retry([&] { return ::mkdirat(folder, shard.c_str(), 0700); }) != 0 && errno != EEXIST) return errno;
    fd = open();
  }
  if (fd < 0) return errno;
  int code = write_quietly(fd, blob.bytes);
  if (::close(fd) != 0 && code == 0 && errno != EINTR)
    code = errno; // a network file system may report a full disk only at close
  if (code == 0 && retry([&] { return ::renameat(folder, temporary.c_str(), folder, place.c_str()); }) != 0)
    code = errno;
  if (code != 0) (void)retry([&] { return ::unlinkat(folder, temporary.c_str(), 0); });
  return code;
}

void FolderStore::grow(uint64_t bytes) {
  FilePtr folder = root(false);
  if (!folder) return;
  FileHandle size(retry([&] {
    return open_descriptor_at(folder->fd, "size", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CREAT | O_APPEND,
                              0600);
  }));
  if (size.fd < 0) return;
  (void)write_quietly(size.fd, std::string((bytes + 4095) / 4096, '.'));
  struct stat status;
  if (retry([&] { return ::fstat(size.fd, &status); }) == 0 &&
      uint64_t(status.st_size) * 4096 > options_.budget)
    sweep(options_.budget - options_.budget / 8);
}

// ---- locks of keys, so that one process compiles a key

FolderStore::KeyLock FolderStore::try_lock(Fingerprint key) {
  if (options_.read_only) return {};
  FilePtr folder = root(true);
  FilePtr file;
  if (folder) {
    std::lock_guard lock(mutex_);
    if (!locks_) {
      auto opened = std::make_shared<FileHandle>(retry([&] {
        return open_descriptor_at(folder->fd, "locks", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CREAT, 0600);
      }));
      if (opened->fd >= 0) locks_ = std::move(opened);
    }
    file = locks_;
  }
  if (!file) return {};
  struct flock range{};
  range.l_type = F_WRLCK;
  range.l_whence = SEEK_SET;
  range.l_start = off_t(key.low & (~uint64_t(0) >> 2));
  range.l_len = 1;
  if (retry([&] { return ::fcntl(file->fd, F_OFD_SETLK, &range); }) != 0) {
    if (errno == EAGAIN || errno == EACCES) return {KeyLock::State::Busy, nullptr};
    return {};
  }
  return {KeyLock::State::Held, std::shared_ptr<void>(nullptr, [file, range](void *) mutable {
            range.l_type = F_UNLCK;
            (void)::fcntl(file->fd, F_OFD_SETLK, &range);
          })};
}

} // namespace kiln
