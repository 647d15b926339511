// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "file.h"

#include "descriptor.h"

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

Error file_error(std::string_view doing, const std::string &path, int code) {
  std::string message = fmt::format("cannot {} {}: {}", doing, path, std::strerror(code));
  switch (code) {
  case ENOSPC:
  case EDQUOT:
  case EIO:
  case ENOMEM:
  case EMFILE:
  case ENFILE: return machine_error(std::move(message));
  default: return input_error(std::move(message));
  }
}

Result<void> write_in_place(const std::string &path, std::string_view content) {
  OwnedDescriptor out(open_descriptor(path.c_str(), O_WRONLY));
  if (!out) return file_error("open", path, errno);
  int code = write_all(out.get(), content);
  if (const int late = out.close(); code == 0) code = late;
  if (code != 0) return file_error("write", path, code);
  return {};
}

} // namespace

Result<std::string> read_file(const std::string &path, uint64_t limit) {
  // O_NONBLOCK: opening a pipe without a writer must not block.
  OwnedDescriptor in(open_descriptor(path.c_str(), O_RDONLY | O_NONBLOCK));
  if (!in) return file_error("read", path, errno);
  struct stat status;
  if (::fstat(in.get(), &status) != 0) return file_error("read", path, errno);
  if (S_ISDIR(status.st_mode)) return input_error(fmt::format("cannot read {}: it is a directory", path));
  if (!S_ISREG(status.st_mode))
    return input_error(fmt::format("cannot read {}: it is no regular file", path));
  auto too_large = [&](uint64_t size) {
    return input_error(fmt::format("cannot read {}: {} bytes, and {} is the limit", path, size, limit));
  };
  if (uint64_t(status.st_size) > limit) return too_large(uint64_t(status.st_size));

  // The reported size is only a first guess: files in /proc report 0, and other files may grow meanwhile.
  std::string text(size_t(status.st_size) + 1, '\0');
  size_t used = 0;
  for (;;) {
    if (used == text.size()) text.resize(text.size() * 2 + 4096);
    ssize_t got = ::read(in.get(), text.data() + used, text.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error("read", path, errno);
    if (got == 0) break;
    used += size_t(got);
    if (used > limit) return too_large(used);
  }
  text.resize(used);
  return text;
}

Result<void> write_file_atomically(const std::string &path, std::string_view content) {
  struct stat status;
  std::string target = path;
  if (::stat(path.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return input_error(fmt::format("cannot write {}: it is a directory", path));
    if (!S_ISREG(status.st_mode)) return write_in_place(path, content);
    char resolved[PATH_MAX]; // target of a symbolic link, which is written instead of replacing the link
    if (::realpath(path.c_str(), resolved)) target = resolved;
  }

  for (int attempt = 0;; ++attempt) {
    auto ticks = std::chrono::steady_clock::now().time_since_epoch().count();
    std::string temporary = fmt::format("{}.{}-{:x}-{}.tmp", target, ::getpid(), ticks, attempt);
    OwnedDescriptor out(open_descriptor(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666));
    if (!out && errno == EEXIST && attempt < 100) continue;
    if (!out) return file_error("write", path, errno);
    int code = write_all(out.get(), content);
    if (const int late = out.close(); code == 0) code = late;
    if (code == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) code = errno;
    if (code == 0) return {};
    ::unlink(temporary.c_str());
    return file_error("write", path, code);
  }
}

} // namespace kiln
