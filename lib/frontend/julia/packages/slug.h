// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A depot keeps a version of a package in packages/Name/SLUG, where the slug follows from the package's UUID
// and its tree's hash, as Base.version_slug does it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kiln::julia {

/// No value: `uuid` is no UUID, or `tree_hash` no SHA-1 in hexadecimal digits. `length`: 5; Julia before 1.1
/// wrote 4.
std::optional<std::string> version_slug(std::string_view uuid, std::string_view tree_hash, int length = 5);

/// In small letters, as keys compare; no value: not one.
std::optional<std::string> read_uuid(std::string_view text);

} // namespace kiln::julia
