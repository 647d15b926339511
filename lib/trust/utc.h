// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dates and times in the form of RFC 3339, in UTC, as seconds since 1970.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kiln {

using UtcSeconds = int64_t;

/// Last second of the year 9999. RFC 3339 cannot represent later times.
inline constexpr UtcSeconds last_utc_second = 253402300799;

UtcSeconds utc_now();

/// The seconds [begin, end) of a day ("2026-12-01"), or one second ("2026-12-01T08:30:00Z").
struct UtcSpan {
  UtcSeconds begin = 0;
  UtcSeconds end = 0;
};
/// Parses a day or a second. No value: another text, or a day or time that does not exist.
std::optional<UtcSpan> read_utc(std::string_view text);

/// "2026-12-01T08:30:00Z". `time`: 0 to last_utc_second.
std::string utc_text(UtcSeconds time);

} // namespace kiln
