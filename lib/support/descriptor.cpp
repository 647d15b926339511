// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "descriptor.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>
#include <utility>

namespace kiln {

namespace {

constexpr int first_own = 3;

/// Flags of fopen's mode.
int flags_of(const char *mode) {
  const bool updates = std::strchr(mode, '+') != nullptr;
  int flags = updates ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
  if (*mode == 'w') flags |= O_CREAT | O_TRUNC;
  if (*mode == 'a') flags |= O_CREAT | O_APPEND;
  if (std::strchr(mode, 'x')) flags |= O_EXCL;
  return flags;
}

} // namespace

int OwnedDescriptor::close() {
  if (descriptor_ < 0) return 0;
  return ::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR ? errno : 0;
}

int above_standard_streams(int descriptor) {
  if (descriptor < 0 || descriptor >= first_own) return descriptor;
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, first_own);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return moved;
}

int open_descriptor(const char *path, int flags, mode_t mode) {
  return above_standard_streams(::open(path, flags | O_CLOEXEC, mode));
}

int open_descriptor_at(int folder, const char *path, int flags, mode_t mode) {
  return above_standard_streams(::openat(folder, path, flags | O_CLOEXEC, mode));
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    bytes.remove_prefix(size_t(written));
  }
  return 0;
}

std::FILE *open_stream(const char *path, const char *mode) {
  if (!std::strchr("rwa", *mode) || !*mode) {
    errno = EINVAL;
    return nullptr;
  }
  const int descriptor = open_descriptor(path, flags_of(mode), 0666);
  if (descriptor < 0) return nullptr;
  std::FILE *stream = ::fdopen(descriptor, mode);
  if (!stream) {
    const int error = errno;
    ::close(descriptor);
    errno = error;
  }
  return stream;
}

void reserve_standard_streams() {
  for (int descriptor = 0; descriptor < first_own; descriptor++)
    // open() returns the lowest free number, which is `descriptor`.
    if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace kiln
