// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small texts that a tool keeps in a session's persistent cache, such as the record of a search
// (kiln/tune.h). Like artifacts, they may be evicted at any time.
#pragma once

#include <kiln/session.h>

#include <optional>
#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Does the session have a persistent cache? Without one, nothing is kept.
KILN_API bool keeps_records(Session &session);
/// The text kept under a name, unchanged; nothing if it is missing or damaged. Thread-safe.
KILN_API std::optional<std::string> find_record(Session &session, std::string_view name);
/// Keeps the text under a name, whole or not at all. `waits`: until it is stored; otherwise a thread of the
/// session stores it.
KILN_API void keep_record(Session &session, std::string_view name, const std::string &text,
                          bool waits = false);
/// Drops a text that the tool could not read; logs a warning with the reason.
KILN_API void drop_record(Session &session, std::string_view name, const Error &reason);

} // namespace kiln::inline KILN_API_VERSION
