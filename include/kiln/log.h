// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a session's messages go: SessionOptions::log.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Levels of messages. The numbers are stable and equal those of C (KILN_LOG_ERROR ...); KILN_LOG takes the
/// names in small letters. A session passes on messages of its level and below.
enum class LogLevel : uint8_t { Error = 1, Warning = 2, Info = 3, Debug = 4 };

/// Receives one message: text for people, without a newline at its end, valid until the call returns.
///
/// Threads: any thread that calls the session, or one of the session's own (such as the writer of the cache
/// folder), may call it, several at once. Kiln does not serialise the calls. The calling thread waits for it
/// to return. Re-entrance: it may be called while the session holds locks. So a call of the same session from
/// within it is refused as a Usage error; it may use other sessions and destroy handles. It must not wait for
/// another thread that calls the session. Exceptions: it must not throw. An exception is caught, and its
/// message is lost.
using LogFunction = std::function<void(LogLevel level, std::string_view message)>;

/// Reader of this process's messages. Hints spell options for that reader: "maxregs": 32 for embedders of the
/// library (the names of read_config), --maxregs 32 for users of the program kiln, maxregs=32 in Python.
enum class HintDoor : uint8_t { Library, Program, Python };
/// Sets the reader, once at the start of a program; until then it is Library.
KILN_API void set_hint_door(HintDoor door);

} // namespace kiln::inline KILN_API_VERSION
