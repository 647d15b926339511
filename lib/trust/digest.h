// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256, and digests as text.
#pragma once

#include <support/bytes.h>

#include <kiln/result.h>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// SHA-256 of some bytes. The name of a remote entry (RemoteName) has this type too.
using Digest = std::array<std::byte, 32>;

/// Errors: Machine (libcrypto refuses SHA-256).
Result<Digest> sha256(std::string_view bytes);

/// Reads hexadecimal digits into `out`, exactly two per byte. Returns false for any other text.
bool read_hex(std::string_view hex, std::span<std::byte> out);
/// Reads a digest from 64 lowercase hexadecimal digits, as hex_text() writes them. No value: another text.
std::optional<Digest> read_digest(std::string_view hex);

} // namespace kiln
