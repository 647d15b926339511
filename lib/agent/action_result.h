// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ActionResult of the Remote Execution API v2, written and read by hand: the value of /ac/NAME in the cache
// layout of Bazel. Servers such as bazel-remote parse it, so it has to be a valid one.
#pragma once

#include <support/support.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace kiln {

/// A payload in the result itself, or the digest of one under /cas/.
struct ActionResult {
  std::string inline_bytes; ///< stdout_raw; empty: the payload is under /cas/
  std::string sha256;       ///< 64 lower-case hexadecimal digits
  uint64_t size = 0;        ///< of the payload under /cas/
};

/// Payloads of up to this many bytes are in the ActionResult itself.
inline constexpr size_t max_inline_bytes = 64 * 1024;

std::string write_action_result(const ActionResult &result);

/// Fields that Kiln does not use are skipped: servers add metadata. Error (Input): no ActionResult, such as
/// an error page; one of a failed action; one with no payload or with several.
Result<ActionResult> read_action_result(std::string_view bytes);

} // namespace kiln
