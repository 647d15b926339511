// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes whole files. A failed write leaves no partial file.
#pragma once

#include <kiln/result.h>

#include <string>
#include <string_view>

namespace kiln {

/// Reads a regular file whole. Errors: Input (missing, a directory, unreadable, larger than `limit`).
Result<std::string> read_file(const std::string &path, uint64_t limit = uint64_t(1) << 36);

/// Writes through a temporary file in the same folder and renames it over `path`, so that a reader sees
/// the old content or the new. Errors: Input (no such folder, not writable) or Machine (disk full).
/// A path that is no regular file (/dev/stdout, a pipe) is written in place.
Result<void> write_file_atomically(const std::string &path, std::string_view content);

} // namespace kiln
