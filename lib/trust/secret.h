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

/// Memory for a secret, outside of the heap: between guard pages, excluded from core dumps, and wiped when
/// freed. It is never swapped out, as far as the limit of locked memory allows.
class SecretBytes {
public:
  /// Makes `size` zero bytes. Errors: Machine (out of memory, or libsodium does not start).
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

/// Text of a file that only its owner can read. `text` points into `memory`.
struct SecretText {
  SecretBytes memory;
  std::string_view text;
};
/// Reads a secret file. Errors: Input (the file is missing, not regular, larger than 4 kB, or another user's;
/// or others may read or write it).
Result<SecretText> read_secret_file(const std::string &path);

/// Writes a new file and syncs it to the disk. Leaves no file after a failure. Errors: Input (the file
/// exists, or its folder is missing), Machine (disk full).
Result<void> write_new_file(const std::string &path, std::string_view text, unsigned mode);

} // namespace kiln
