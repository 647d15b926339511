// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and files with secrets.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Bytes outside the heap: between guard pages, excluded from core dumps, never swapped as far as the limit
/// of locked memory allows, and wiped when freed.
class SecretBytes {
public:
  /// Makes zeroed bytes. Errors: Machine (out of memory, libsodium does not start).
  static Result<SecretBytes> make(size_t size);
  std::span<std::byte> bytes() const { return {bytes_.get(), size_}; }
  unsigned char *data() const { return reinterpret_cast<unsigned char *>(bytes_.get()); }
  size_t size() const { return size_; }

private:
  struct Free {
    void operator()(std::byte *bytes) const;
  };
  std::unique_ptr<std::byte[], Free> bytes_;
  size_t size_ = 0;
};

/// Text of a small file that only its owner can read. `text` points into `memory`.
struct SecretText {
  SecretBytes memory;
  std::string_view text;
};
/// Reads a secret file. Errors: Input (missing, no regular file, larger than 4 kB; another user's; others may
/// read or write it).
Result<SecretText> read_secret_file(const std::string &path);

/// Writes a new file and syncs it to the disk. Leaves no file after a failure. Errors: Input (it already
/// exists, no such folder) or Machine (disk full).
Result<void> write_new_file(const std::string &path, std::string_view text, unsigned mode);

} // namespace kiln
