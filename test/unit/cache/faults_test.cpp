// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every system call of a folder fails once, or from then on for good, with each error that a file system may
// give. What the store then says is right or nothing; the folder is whole afterwards.
#include "scratch.h"

#include <cache/entry.h>
#include <cache/folder_store.h>

#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

/// Which call of this thread is to fail. Others are none of the test's business.
thread_local struct {
  bool is_on = false, for_good = false;
  int calls = 0, failing = -1, code = 0;
  size_t piece = ~size_t(0); ///< no call reads or writes more at once
} fault;

bool fails() {
  if (!fault.is_on) return false;
  int call = fault.calls++;
  if (fault.failing < 0 || call < fault.failing || (call > fault.failing && !fault.for_good)) return false;
  errno = fault.code;
  return true;
}

} // namespace

// In place of the C library's, for the code that this program links.
extern "C" {
int openat(int at, const char *path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  return fails() ? -1 : int(::syscall(SYS_openat, at, path, flags, mode));
}
int fstat(int fd, struct stat *status) noexcept {
  return fails() ? -1 : int(::syscall(SYS_fstat, fd, status));
}
ssize_t read(int fd, void *into, size_t size) {
  return fails() ? -1 : ::syscall(SYS_read, fd, into, std::min(size, fault.piece));
}
ssize_t write(int fd, const void *from, size_t size) {
  return fails() ? -1 : ::syscall(SYS_write, fd, from, std::min(size, fault.piece));
}
int close(int fd) {
  bool failing = fails(); // it is closed all the same, as Linux does
  int code = errno, closed = int(::syscall(SYS_close, fd));
  errno = failing ? code : errno;
  return failing ? -1 : closed;
}
int renameat(int from_at, const char *from, int to_at, const char *to) noexcept {
  return fails() ? -1 : int(::syscall(SYS_renameat, from_at, from, to_at, to));
}
int mkdir(const char *path, mode_t mode) noexcept {
  return fails() ? -1 : int(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int mkdirat(int at, const char *path, mode_t mode) noexcept {
  return fails() ? -1 : int(::syscall(SYS_mkdirat, at, path, mode));
}
int unlinkat(int at, const char *path, int flags) noexcept {
  return fails() ? -1 : int(::syscall(SYS_unlinkat, at, path, flags));
}
int futimens(int fd, const struct timespec times[2]) noexcept {
  return fails() ? -1 : int(::syscall(SYS_utimensat, fd, nullptr, times, 0));
}
int flock(int fd, int operation) noexcept { return fails() ? -1 : int(::syscall(SYS_flock, fd, operation)); }
int ftruncate(int fd, off_t size) noexcept { return fails() ? -1 : int(::syscall(SYS_ftruncate, fd, size)); }
int fstatat(int at, const char *path, struct stat *status, int flags) noexcept {
  return fails() ? -1 : int(::syscall(SYS_newfstatat, at, path, status, flags));
}
int stat(const char *path, struct stat *status) noexcept {
  return fails() ? -1 : int(::syscall(SYS_newfstatat, AT_FDCWD, path, status, 0));
}
DIR *fdopendir(int fd) {
  static const auto real = reinterpret_cast<DIR *(*)(int)>(::dlsym(RTLD_NEXT, "fdopendir"));
  return fails() ? nullptr : real(fd);
}
dirent *readdir(DIR *stream) {
  static const auto real = reinterpret_cast<dirent *(*)(DIR *)>(::dlsym(RTLD_NEXT, "readdir"));
  return fails() ? nullptr : real(stream);
}
int fcntl(int fd, int command, ...) {
  va_list more;
  va_start(more, command);
  void *argument = va_arg(more, void *);
  va_end(more);
  return fails() ? -1 : int(::syscall(SYS_fcntl, fd, command, argument));
}
}

using namespace kiln;
namespace fs = std::filesystem;

namespace {

Fingerprint faulty_key(uint64_t n) { return {n * 0x9e3779b97f4a7c15, n}; }
std::string content(uint64_t n) { return std::string(5000, char('a' + n)); }

/// All that a session does with a folder; true if everything it put was found.
bool use(const fs::path &folder, int &wrong) {
  FolderStore store({.path = folder, .budget = 64 << 10});
  const auto until = StoreClock::now() + std::chrono::seconds(10);
  bool all = true;
  for (uint64_t n = 0; n < 3; n++) {
    auto lock = store.try_lock(faulty_key(n));
    all &= lock.state == FolderStore::KeyLock::State::Held;
    store.put({Blob{faulty_key(n), seal_entry(faulty_key(n), content(n))}}, until);
  }
  for (uint64_t n = 0; n < 3; n++) {
    std::optional<std::string> entry = get_blob(store, faulty_key(n));
    all &= entry.has_value();
    if (!entry) continue;
    Result<std::string> read = open_entry(faulty_key(n), *entry);
    all &= read.ok();
    wrong += read.ok() && *read != content(n);
  }
  store.add_counts({1, 2});
  for (const FolderStore::EntryFile &entry : store.list()) wrong += !entry.bytes;
  const FolderStore::Counts counts = store.counts();
  wrong += counts.hits * 2 != counts.misses;
  all &= store.sweep(64 << 10);
  return all;
}

} // namespace

TEST_CASE("no failing system call makes a store wrong, stuck or broken") {
  for (int code : {ENOSPC, EROFS, EACCES, ESTALE, EINTR, EIO, EMFILE, ENOENT, ENOLCK})
    for (bool for_good : {false, true}) {
      if (for_good && code == EINTR) continue; // whoever is interrupted for ever goes on trying
      for (int failing = 0;; failing++) {
        kiln::test::Scratch folder;
        const fs::path &scratch = folder.path;
        int wrong = 0;
        fault = {.is_on = true,
                 .for_good = for_good,
                 .calls = 0,
                 .failing = failing,
                 .code = code,
                 .piece = ~size_t(0)};
        bool all = use(scratch / "cache", wrong);
        const bool happened = fault.calls > failing;
        fault = {};
        INFO(std::strerror(code) << " in call " << failing << (for_good ? " and all later ones" : ""));
        CHECK(wrong == 0);
        if (code == EINTR || !happened) CHECK(all);
        int still_wrong = 0;
        CHECK(use(scratch / "cache", still_wrong));
        CHECK(still_wrong == 0);
        if (!happened) {
          CHECK(failing > 30); // the calls were really counted
          break;
        }
      }
    }
}

TEST_CASE("a file system that reads and writes little at once") {
  kiln::test::Scratch folder;
  const fs::path &scratch = folder.path;
  for (size_t piece : {size_t(1000), size_t(16)}) {
    int wrong = 0;
    fault = {.is_on = true, .for_good = false, .calls = 0, .failing = -1, .code = 0, .piece = piece};
    const bool all = use(scratch / std::to_string(piece), wrong);
    fault = {};
    CHECK(all);
    CHECK(wrong == 0);
  }
}
