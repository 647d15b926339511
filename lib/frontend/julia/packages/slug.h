// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A depot stores a version of a package in packages/Name/SLUG. The slug is computed from the package's UUID
// and its tree hash, as in Base.version_slug.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln::julia {

/// No value: `uuid` is not a UUID, or `tree_hash` not a SHA-1 in hexadecimal. `length`: 5; Julia before 1.1
/// used 4.
std::optional<std::string> version_slug(std::string_view uuid, std::string_view tree_hash, int length = 5);

/// Normalises a UUID to lower case, for comparison; no value: not a UUID.
std::optional<std::string> read_uuid(std::string_view text);

} // namespace kiln::julia
