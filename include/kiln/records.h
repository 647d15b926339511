// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: small texts that a tool stores in a session's persistent cache, such as results of a tuner's
// search (kiln/tune.h). Like artifacts, they may be evicted at any time.
#pragma once

#include <kiln/session.h>

#include <optional>
#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Returns true if the session has a persistent cache; without one no record is stored.
KILN_API bool keeps_records(Session &session);
/// Returns the text stored under a name; no value if it is missing or damaged. Thread-safe.
KILN_API std::optional<std::string> find_record(Session &session, std::string_view name);
/// Stores a text under a name, atomically. `waits` true: returns after it is stored. False: returns at once,
/// and a thread of the session stores it.
KILN_API void keep_record(Session &session, std::string_view name, const std::string &text,
                          bool waits = false);
/// Deletes a record that the tool could not read, and logs a warning with `reason`.
KILN_API void drop_record(Session &session, std::string_view name, const Error &reason);

} // namespace kiln::inline KILN_API_VERSION
