// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Levels and receiver of a session's log messages: SessionOptions::log.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Levels of messages. The numbers are stable and equal those of C (KILN_LOG_ERROR ...). The environment
/// variable KILN_LOG takes the names in lower case. A session reports messages of its level and of lower
/// numbers.
enum class LogLevel : uint8_t { Error = 1, Warning = 2, Info = 3, Debug = 4 };

/// Receives one message: text for people without a final newline, valid during the call.
///
/// Threads: any thread that calls the session and any thread of the session may call it, several at once, and
/// each waits for it to return. Re-entrance: the session may hold locks during the call. Calls of the same
/// session from within it are therefore Usage errors; other sessions may be used, and handles may be
/// destroyed. It must not wait for another thread that calls the session. Exceptions: it must not throw; an
/// exception is caught and ignored.
using LogFunction = std::function<void(LogLevel level, std::string_view message)>;

/// Kind of user who reads this process's messages. Hints write options in that user's notation: "maxregs": 32
/// (Library, as read_config takes them), --maxregs 32 (Program, the command kiln), maxregs=32 (Python).
enum class HintDoor : uint8_t { Library, Program, Python };
/// Sets the kind of user for hints. Call it once, at the start of a program. The default is Library.
KILN_API void set_hint_door(HintDoor door);

} // namespace kiln::inline KILN_API_VERSION
