// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes and decodes ActionResult, a message of the Remote Execution API v2, without protobuf. It is the
// value of /ac/NAME in Bazel's cache layout. Servers such as bazel-remote parse it, so it must be valid.
#pragma once

#include <support/support.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// An entry in Bazel's cache layout: its bytes inline, or the digest of its bytes, which are then under
/// /cas/.
struct ActionResult {
  std::string inline_bytes; ///< field stdout_raw; empty: the bytes are under /cas/
  std::string sha256;       ///< 64 lower-case hexadecimal digits
  uint64_t size = 0;        ///< of the payload under /cas/
};

/// Entries of up to this size are stored inline; larger ones under /cas/. In bytes.
inline constexpr size_t max_inline_bytes = 64 * 1024;

std::string write_action_result(const ActionResult &result);

/// Decodes an ActionResult. Skips fields that Kiln does not use, since servers add metadata. Errors (Input):
/// other bytes, such as an error page; the result of a failed action; no entry, or several.
Result<ActionResult> read_action_result(std::string_view bytes);

} // namespace kiln
