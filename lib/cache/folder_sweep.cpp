// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists and evicts the entries of a cache folder.
#include "entry.h"
#include "folder_store.h"

#include <support/read_number.h>

#include <support/descriptor.h>

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr int64_t second = 1'000'000'000, stale_after = 3600 * second; ///< no write takes an hour

struct FoundFile {
  std::string name;               ///< "ab/cdef..."
  std::optional<Fingerprint> key; ///< empty: a writer's temporary file
  uint64_t bytes = 0;
  int64_t used = 0;
};

/// Calls `visit` for each name in a folder that is_trusted(). Skips other folders.
template <class F> void for_each_name(int folder, const char *path, F &&visit) {
  int fd = retry([&] { return open_descriptor_at(folder, path, O_RDONLY | O_DIRECTORY); });
  if (fd < 0) return;
  struct stat status;
  const bool is_usable = ::fstat(fd, &status) == 0 && is_trusted(status);
  DIR *stream = is_usable ? ::fdopendir(fd) : nullptr;
  if (!stream) {
    ::close(fd);
    return;
  }
  while (dirent *each = ::readdir(stream)) visit(fd, std::string_view(each->d_name));
  ::closedir(stream);
}

std::vector<FoundFile> files_in(int root) {
  std::vector<FoundFile> files;
  std::vector<std::string> shards;
  for_each_name(root, ".", [&](int, std::string_view name) {
    if (name.size() == 2 && name.find_first_not_of("0123456789abcdef") == name.npos)
      shards.emplace_back(name);
  });
  std::sort(shards.begin(), shards.end());
  for (const std::string &folder : shards) {
    for_each_name(root, folder.c_str(), [&](int fd, std::string_view name) {
      std::optional<Fingerprint> key = read_fingerprint(folder + std::string(name));
      if (!key && !name.starts_with(".tmp-")) return;
      struct stat status;
      if (::fstatat(fd, std::string(name).c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
          !S_ISREG(status.st_mode))
        return;
      files.push_back({fmt::format("{}/{}", folder, name), key, uint64_t(status.st_size),
                       status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec});
    });
  }
  return files;
}

} // namespace

std::vector<FolderStore::EntryFile> FolderStore::list() {
  std::vector<EntryFile> entries;
  FilePtr folder = root(false);
  if (!folder) return entries;
  for (const FoundFile &file : files_in(folder->fd))
    if (file.key) entries.push_back({*file.key, file.bytes, file.used});
  std::sort(entries.begin(), entries.end(),
            [](const EntryFile &a, const EntryFile &b) { return a.key < b.key; });
  return entries;
}

bool FolderStore::sweep(uint64_t budget) {
  FilePtr folder = options_.read_only ? nullptr : root(false);
  if (!folder) return false;
  FileHandle lock(retry([&] {
    return open_descriptor_at(folder->fd, "sweep.lock", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CREAT, 0600);
  }));
  if (lock.fd < 0) return false;
  // Continue if the file system has no locks: several processes may then sweep at once and drop the same
  // entries.
  if (retry([&] { return ::flock(lock.fd, LOCK_EX | LOCK_NB); }) != 0 && errno == EWOULDBLOCK) return false;
  // Ask the file system for the time: its clock may be that of another host.
  struct stat status;
  if (retry([&] { return ::futimens(lock.fd, nullptr); }) != 0 ||
      retry([&] { return ::fstat(lock.fd, &status); }) != 0)
    return false;
  const int64_t now = status.st_mtim.tv_sec * second + status.st_mtim.tv_nsec;

  std::vector<FoundFile> entries;
  uint64_t total = 0;
  for (FoundFile &file : files_in(folder->fd)) {
    if (file.key) {
      file.used = std::min(file.used, now); // another host's clock may be ahead
      total += (file.bytes + 4095) / 4096 * 4096;
      entries.push_back(std::move(file));
    } else if (file.used + stale_after < now) {
      (void)retry([&] { return ::unlinkat(folder->fd, file.name.c_str(), 0); });
    }
  }
  std::sort(entries.begin(), entries.end(), [](const FoundFile &a, const FoundFile &b) {
    return std::tie(a.used, a.name) < std::tie(b.used, b.name);
  });
  for (const FoundFile &file : entries) {
    if (total <= budget) break;
    // Processes that have the file open can still read it to its end.
    if (retry([&] { return ::unlinkat(folder->fd, file.name.c_str(), 0); }) == 0 || errno == ENOENT)
      total -= (file.bytes + 4095) / 4096 * 4096;
  }
  FileHandle size(retry([&] {
    return open_descriptor_at(folder->fd, "size", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CREAT, 0600);
  }));
  if (size.fd >= 0) (void)retry([&] { return ::ftruncate(size.fd, off_t(total / 4096)); });
  return true;
}

namespace {

constexpr const char *counts_file = "counts", *made_file = "made";
constexpr off_t max_records = 4096; ///< a longer file is summed into one record

/// Opens a file of records, and locks it until its descriptor closes. On a file system without locks,
/// sessions that end at the same time may lose counts.
int open_locked(int folder, const char *name, int flags) {
  const int fd =
      retry([&] { return open_descriptor_at(folder, name, flags | O_NOFOLLOW | O_NONBLOCK, 0600); });
  if (fd >= 0) (void)retry([&] { return ::flock(fd, (flags & O_ACCMODE) == O_RDONLY ? LOCK_SH : LOCK_EX); });
  return fd;
}

/// Adds the complete records of a file to `sum`.
template <size_t N> void add_records(int fd, std::array<uint64_t, N> &sum) {
  std::array<uint64_t, N> record;
  for (off_t at = 0; retry([&] { return ::pread(fd, record.data(), sizeof record, at); }) == sizeof record;
       at += sizeof record)
    for (size_t i = 0; i < N; i++) sum[i] += record[i];
}

template <size_t N> std::array<uint64_t, N> sum_of_records(int folder, const char *name) {
  std::array<uint64_t, N> sum{};
  const FileHandle file(open_locked(folder, name, O_RDONLY));
  if (file.fd >= 0) add_records(file.fd, sum);
  return sum;
}

template <size_t N> void append_record(int folder, const char *name, std::array<uint64_t, N> record) {
  if (std::ranges::all_of(record, [](uint64_t count) { return count == 0; })) return;
  const FileHandle file(open_locked(folder, name, O_RDWR | O_CREAT | O_APPEND));
  struct stat status;
  if (file.fd < 0 || retry([&] { return ::fstat(file.fd, &status); }) != 0) return;
  constexpr off_t bytes = sizeof record;
  off_t size = status.st_size / bytes * bytes; // without the part of a record that a full disk left
  if (size >= max_records * bytes) {
    add_records(file.fd, record);
    size = 0;
  }
  if (size != status.st_size && retry([&] { return ::ftruncate(file.fd, size); }) != 0) return;
  if (retry([&] { return ::write(file.fd, record.data(), sizeof record); }) != bytes)
    (void)retry([&] { return ::ftruncate(file.fd, size); });
}

/// Empties a file. Returns true also if there is none.
bool empty_file(int folder, const char *name) {
  const FileHandle file(open_locked(folder, name, O_WRONLY));
  if (file.fd < 0) return errno == ENOENT;
  return retry([&] { return ::ftruncate(file.fd, 0); }) == 0;
}

} // namespace

FolderStore::Counts FolderStore::counts() {
  Counts sum;
  FilePtr folder = root(false);
  if (!folder) return sum;
  const auto found = sum_of_records<2>(folder->fd, counts_file);
  sum.hits = found[0];
  sum.misses = found[1];
  sum.made = sum_of_records<num_miss_causes>(folder->fd, made_file);
  return sum;
}

void FolderStore::add_counts(const Counts &counts) {
  FilePtr folder = options_.read_only ? nullptr : root(false);
  if (!folder) return;
  append_record<2>(folder->fd, counts_file, {counts.hits, counts.misses});
  append_record(folder->fd, made_file, counts.made);
}

bool FolderStore::reset_counts() {
  FilePtr folder = options_.read_only ? nullptr : root(false);
  if (!folder) return false;
  const bool is_empty = empty_file(folder->fd, counts_file);
  return empty_file(folder->fd, made_file) && is_empty;
}

} // namespace kiln
