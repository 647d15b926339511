// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Format of a stored entry: a header and the content.
//
//   offset  0  magic "KilnBlob"
//           8  version of this format, 4 bytes
//          12  flags: 1 the content is compressed (zstd)
//           16  the key, 16 bytes: a renamed or copied entry is invalid
//           32  size of the content, 8 bytes; 40 its stored size, 8 bytes
//          48  XXH3-128 of the header before this field and of the stored content
//          64  the content
#pragma once

#include <support/bytes.h>

namespace kiln {

inline constexpr uint32_t entry_version = 2;
inline constexpr size_t entry_header_size = 64;
inline constexpr size_t max_entry_size = size_t(1) << 30; ///< of the content; larger contents are not kept

/// Seals `content` under `key` as bytes for a store. Compresses contents of 16 kB and more if that saves at
/// least a quarter. For smaller ones, decompression would cost more time than the space is worth.
std::string seal_entry(Fingerprint key, std::string_view content);

/// Opens an entry found under `key` and returns its content. Errors (Input): the bytes differ from
/// seal_entry's output in any way.
Result<std::string> open_entry(Fingerprint key, std::string_view entry);

} // namespace kiln
