// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory and files that hold secrets.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Bytes outside the heap: fenced by guard pages, left out of core dumps, never swapped where the limit of
/// locked memory allows, and wiped when they are freed.
class SecretBytes {
public:
  /// Zeros. Errors: Machine (out of memory, libsodium does not start).
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

/// The text of a small file that nobody but its owner can read; `text` lies in the memory.
struct SecretText {
  SecretBytes memory;
  std::string_view text;
};
/// Errors: Input (missing, no regular file, larger than 4 kB; another user's; others may read or write it).
Result<SecretText> read_secret_file(const std::string &path);

/// Writes a file that must not exist yet, and makes sure that it is on the disk. Leaves no file behind when
/// it fails. Errors: Input (it exists, no such folder) or Machine (disk full).
Result<void> write_new_file(const std::string &path, std::string_view text, unsigned mode);

} // namespace kiln
