// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Format of a stored entry: a header and the content.
//
//   offset  0  magic "KilnBlob", 8 bytes
//           8  version of this format, 4 bytes
//          12  flags: 1 the content is compressed (zstd)
//           16  the key, 16 bytes: a renamed or copied entry is invalid
//           32  size of the content, 8 bytes; 40 its stored size, 8 bytes
//          48  checksum: XXH3-128 of bytes 0 to 47 and of the stored content
//          64  the content
#pragma once

#include <support/bytes.h>

namespace kiln {

inline constexpr uint32_t entry_version = 2;
inline constexpr size_t entry_header_size = 64;
/// Maximum size of an entry's contents in bytes, before compression. Larger contents are not stored.
inline constexpr size_t max_entry_size = size_t(1) << 30;

/// Makes an entry of `content` and its key. Compresses contents of 16 kB and more if that saves at least a
/// quarter. Smaller contents are not compressed, because the space saved is not worth the time of
/// decompression.
std::string seal_entry(Fingerprint key, std::string_view content);

/// Checks an entry found under `key` and returns its content. Error (Input): the entry is damaged, or was not
/// made under this key.
Result<std::string> open_entry(Fingerprint key, std::string_view entry);

} // namespace kiln
