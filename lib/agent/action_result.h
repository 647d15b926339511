// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ActionResult of the Remote Execution API v2, encoded and decoded without protobuf. It is the value of
// /ac/NAME in Bazel's cache layout. Servers such as bazel-remote parse it, so it must be valid.
#pragma once

#include <support/support.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// An inline payload, or the digest of one under /cas/.
struct ActionResult {
  std::string inline_bytes; ///< stdout_raw; empty: the payload is under /cas/
  std::string sha256;       ///< 64 lower-case hexadecimal digits
  uint64_t size = 0;        ///< of the payload under /cas/
};

/// Maximum size in bytes of an inline payload.
inline constexpr size_t max_inline_bytes = 64 * 1024;

std::string write_action_result(const ActionResult &result);

/// Decodes an ActionResult. Skips unused fields, because servers add metadata. Error (Input): other bytes,
/// such as an error page; the result of a failed action; no payload, or several.
Result<ActionResult> read_action_result(std::string_view bytes);

} // namespace kiln
