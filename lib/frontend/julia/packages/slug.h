// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes slugs. A depot stores a version of a package in packages/Name/SLUG. The slug is made of the
// package's UUID and its tree hash, as in Base.version_slug.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln::julia {

/// Computes a slug of `length` characters: 5, or 4 for Julia before 1.1. No value: `uuid` is no UUID, or
/// `tree_hash` is no SHA-1 in hexadecimal.
std::optional<std::string> version_slug(std::string_view uuid, std::string_view tree_hash, int length = 5);

/// Returns a UUID in lower case, for comparison; no value: `text` is no UUID.
std::optional<std::string> read_uuid(std::string_view text);

} // namespace kiln::julia
