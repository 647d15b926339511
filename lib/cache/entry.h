// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lies in a store under a key: a header and the content.
//
//   offset  0  magic "KilnBlob"
//           8  version of this format, 4 bytes
//          12  flags: 1 the content is compressed (zstd)
//          16  the key, 16 bytes: an entry that was renamed or copied over another one is no entry
//          32  size of the content, 8 bytes; 40 as it is stored, 8 bytes
//          48  XXH3-128 of the header before this field and of the stored content
//          64  the content
#pragma once

#include <support/bytes.h>

namespace kiln {

inline constexpr uint32_t entry_version = 2;
inline constexpr size_t entry_header_size = 64;
inline constexpr size_t max_entry_size = size_t(1) << 30; ///< of the content: larger ones are not kept

/// The entry of `content` under `key`: bytes for a store. Compressed where that saves at least a quarter of
/// 16 kB or more: below, reading costs more time than it spares space.
std::string seal_entry(Fingerprint key, std::string_view content);

/// The content of an entry that was found under `key`. Errors (Input): whatever is not exactly as seal_entry
/// writes it.
Result<std::string> open_entry(Fingerprint key, std::string_view entry);

} // namespace kiln
