// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LD_PRELOAD library: makes a folder behave as one on a network file system without locks.
//
//   STALE_FOLDER   the folder; calls on files elsewhere stay as they are
//   STALE_SEED     of the faults
//   STALE_RATE     faults in 1,000 calls: ESTALE, EBUSY, and EIO of a close() that loses half of the file
//   STALE_HIDE_MS  time until a file that another process renamed is seen
//
// Locks always fail with ENOLCK.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REAL(function) ((__typeof__(&function))real(#function))

enum { max_own = 1 << 16 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state, own[max_own]; // inodes of files that this process renamed: it sees them at once
static unsigned num_own;
static bool is_seeded;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static long number(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : 0;
}

/// Is the path in the folder? A relative path starts at `folder`.
static bool is_below(int folder, const char *path) {
  const char *root = getenv("STALE_FOLDER");
  char link[32], whole[2 * PATH_MAX] = "";
  if (!root) return false;
  if (path == NULL || (*path != '/' && folder != AT_FDCWD)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const ssize_t size = readlink(link, whole, PATH_MAX);
    if (size < 0) return false;
    whole[size] = 0;
  }
  if (path && *path == '/') whole[0] = 0;
  if (path) strncat(strcat(whole, *path == '/' ? "" : "/"), path, PATH_MAX - 2);
  const size_t size = strlen(root);
  return strncmp(whole, root, size) == 0 && (whole[size] == '/' || whole[size] == 0);
}

static bool is_file(int descriptor) { return descriptor > 2 && is_below(descriptor, NULL); }

/// The next fault's turn.
static bool has_fault(void) {
  pthread_mutex_lock(&mutex);
  if (!is_seeded) state = (uint64_t)number("STALE_SEED") * 1000003 + (uint64_t)getpid();
  is_seeded = true;
  uint64_t x = state += 0x9E3779B97F4A7C15u; // splitmix64
  pthread_mutex_unlock(&mutex);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return (x ^ (x >> 31)) % 1000 < (uint64_t)number("STALE_RATE");
}

static bool fails(int code) {
  if (!has_fault()) return false;
  errno = code;
  return true;
}

/// Does another process's rename still hide the file?
static bool is_hidden(const struct stat *status) {
  if (!S_ISREG(status->st_mode)) return false;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const int64_t age =
      (now.tv_sec - status->st_ctim.tv_sec) * 1000 + (now.tv_nsec - status->st_ctim.tv_nsec) / 1000000;
  if (age >= number("STALE_HIDE_MS")) return false;
  pthread_mutex_lock(&mutex);
  bool is_own = false;
  for (unsigned i = 0; i < num_own && !is_own; i++) is_own = own[i] == status->st_ino;
  pthread_mutex_unlock(&mutex);
  return !is_own;
}

static void keep_own(int folder, const char *path) {
  struct stat status;
  if (REAL(fstatat)(folder, path, &status, AT_SYMLINK_NOFOLLOW) != 0) return;
  pthread_mutex_lock(&mutex);
  if (num_own < max_own) own[num_own++] = status.st_ino;
  pthread_mutex_unlock(&mutex);
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  if (!is_below(folder, path)) return REAL(openat)(folder, path, flags, mode);
  if (fails(ESTALE)) return -1;
  const int descriptor = REAL(openat)(folder, path, flags, mode);
  struct stat status;
  if (descriptor < 0 || (flags & O_CREAT) || REAL(fstat)(descriptor, &status) != 0) return descriptor;
  if (!is_hidden(&status)) return descriptor;
  REAL(close)(descriptor);
  errno = ENOENT;
  return -1;
}

#define OPEN(name, parameters, folder)                                                                       \
  int name parameters {                                                                                      \
    mode_t mode = 0;                                                                                         \
    if (flags & O_CREAT) {                                                                                   \
      va_list more;                                                                                          \
      va_start(more, flags);                                                                                 \
      mode = va_arg(more, mode_t);                                                                           \
      va_end(more);                                                                                          \
    }                                                                                                        \
    return open_at(folder, path, flags, mode);                                                               \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int folder, const char *path, int flags, ...), folder)
OPEN(openat64, (int folder, const char *path, int flags, ...), folder)

int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags) {
  const bool is_ours = is_below(folder, path);
  if (is_ours && fails(ESTALE)) return -1;
  const int result = REAL(fstatat)(folder, path, status, flags);
  if (result != 0 || !is_ours || !is_hidden(status)) return result;
  errno = ENOENT;
  return -1;
}
int stat(const char *restrict path, struct stat *restrict status) {
  return fstatat(AT_FDCWD, path, status, 0);
}
int lstat(const char *restrict path, struct stat *restrict status) {
  return fstatat(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}
int fstat(int descriptor, struct stat *status) {
  return is_file(descriptor) && fails(ESTALE) ? -1 : REAL(fstat)(descriptor, status);
}
int access(const char *path, int mode) {
  return is_below(AT_FDCWD, path) && fails(ESTALE) ? -1 : REAL(access)(path, mode);
}
ssize_t read(int descriptor, void *bytes, size_t size) {
  return is_file(descriptor) && fails(ESTALE) ? -1 : REAL(read)(descriptor, bytes, size);
}
ssize_t write(int descriptor, const void *bytes, size_t size) {
  return is_file(descriptor) && fails(ESTALE) ? -1 : REAL(write)(descriptor, bytes, size);
}

/// What the client has not sent yet is lost, and close() reports it.
int close(int descriptor) {
  struct stat status;
  if (is_file(descriptor) && (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY &&
      REAL(fstat)(descriptor, &status) == 0 && S_ISREG(status.st_mode) && fails(EIO)) {
    (void)!ftruncate(descriptor, status.st_size / 2);
    REAL(close)(descriptor);
    errno = EIO;
    return -1;
  }
  return REAL(close)(descriptor);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  const bool is_ours = is_below(to_folder, to);
  if (is_ours && fails(EBUSY)) return -1;
  const int result = REAL(renameat)(from_folder, from, to_folder, to);
  if (result != 0 || !is_ours) return result;
  keep_own(to_folder, to);
  if (!fails(ESTALE)) return 0; // a reply that was lost: the file is renamed, and the second attempt fails
  return -1;
}
int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }
int unlinkat(int folder, const char *path, int flags) {
  return is_below(folder, path) && fails(EBUSY) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int mkdirat(int folder, const char *path, mode_t mode) {
  return is_below(folder, path) && fails(ESTALE) ? -1 : REAL(mkdirat)(folder, path, mode);
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int flock(int descriptor, int operation) {
  if (!is_file(descriptor)) return ((int (*)(int, int))real("flock"))(descriptor, operation);
  errno = ENOLCK;
  return -1;
}

static int control(int descriptor, int command, void *argument) {
  const bool is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK ||
                       command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
  if (!is_lock || !is_file(descriptor)) return REAL(fcntl)(descriptor, command, argument);
  errno = ENOLCK;
  return -1;
}
#define FCNTL(name)                                                                                          \
  int name(int descriptor, int command, ...) {                                                               \
    va_list more;                                                                                            \
    va_start(more, command);                                                                                 \
    void *argument = va_arg(more, void *);                                                                   \
    va_end(more);                                                                                            \
    return control(descriptor, command, argument);                                                           \
  }
FCNTL(fcntl)
FCNTL(fcntl64)
