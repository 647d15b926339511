// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "secret.h"

#include <support/descriptor.h>

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sodium.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kiln {

namespace {

constexpr size_t max_secret_file = 4096;

std::string reason_of(int code) { return std::generic_category().message(code); }

Result<void> check_secret_status(const std::string &path, const struct stat &status) {
  if (!S_ISREG(status.st_mode))
    return input_error(fmt::format("cannot read the secret key {}: it is no regular file", path));
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    return input_error(fmt::format("the secret key {} belongs to another user (uid {})", path, status.st_uid),
                       {}, "use a key of your own: kiln cache keygen FILE");
  if (status.st_mode & 0077)
    return input_error(fmt::format("other users may use the secret key {}: its mode is {:04o}", path,
                                   status.st_mode & 07777),
                       {}, fmt::format("chmod 0600 {}; if others could read it, make a new key", path));
  return {};
}

} // namespace

void SecretBytes::Free::operator()(std::byte *bytes) const { sodium_free(bytes); } // wipes them first

Result<SecretBytes> SecretBytes::make(size_t size) {
  if (sodium_init() < 0)
    return machine_error("libsodium does not start", "it needs the system's random numbers (getrandom)");
  SecretBytes secret;
  secret.bytes_.reset(static_cast<std::byte *>(sodium_malloc(size)));
  if (!secret.bytes_) return machine_error(fmt::format("no memory for a secret of {} bytes", size));
  secret.size_ = size;
  sodium_memzero(secret.bytes_.get(), size);
  return secret;
}

Result<SecretText> read_secret_file(const std::string &path) {
  const OwnedDescriptor in(open_descriptor(path.c_str(), O_RDONLY | O_NONBLOCK));
  struct stat status;
  if (!in || ::fstat(in.get(), &status) != 0)
    return input_error(fmt::format("cannot read the secret key {}: {}", path, reason_of(errno)));
  KILN_CHECK(check_secret_status(path, status));
  KILN_TRY(SecretBytes memory, SecretBytes::make(max_secret_file + 1));
  size_t used = 0;
  for (;;) {
    const ssize_t got = ::read(in.get(), memory.data() + used, memory.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return input_error(fmt::format("cannot read the secret key {}: {}", path, reason_of(errno)));
    used += size_t(got);
    if (got == 0 || used == memory.size()) break;
  }
  if (used > max_secret_file)
    return input_error(fmt::format("{} is no secret key: it has more than {} bytes", path, max_secret_file));
  const std::string_view text(reinterpret_cast<const char *>(memory.data()), used);
  return SecretText{std::move(memory), text};
}

Result<void> write_new_file(const std::string &path, std::string_view text, unsigned mode) {
  const OwnedDescriptor out(open_descriptor(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode));
  if (!out && errno == EEXIST)
    return input_error(fmt::format("{} exists already", path), {},
                       "keys are never overwritten: choose another name, or remove it yourself");
  int code = !out ? errno : write_all(out.get(), text);
  if (code == 0) return {};
  if (out) ::unlink(path.c_str());
  std::string message = fmt::format("cannot write {}: {}", path, reason_of(code));
  if (code == ENOSPC || code == EDQUOT || code == EIO) return machine_error(std::move(message));
  return input_error(std::move(message));
}

} // namespace kiln
