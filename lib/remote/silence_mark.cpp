// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "silence_mark.h"

#include <support/descriptor.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

std::optional<std::chrono::nanoseconds> SilenceMark::age() const {
  constexpr std::chrono::seconds max_age{60};
  struct stat status{};
  timespec now{};
  if (::lstat(path_.c_str(), &status) != 0 || ::clock_gettime(CLOCK_REALTIME, &now) != 0) return std::nullopt;
  const auto age = std::chrono::seconds(now.tv_sec - status.st_mtim.tv_sec) +
                   std::chrono::nanoseconds(now.tv_nsec - status.st_mtim.tv_nsec);
  if (age < -max_age || age > max_age) return std::nullopt;
  return age;
}

void SilenceMark::set() const {
  if (age()) return;
  const int file = open_descriptor(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW, 0600);
  if (file < 0) return; // without the file, each session waits once
  ::futimens(file, nullptr);
  ::close(file);
}

void SilenceMark::remove() const { ::unlink(path_.c_str()); }

} // namespace kiln
