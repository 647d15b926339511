// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "utc.h"

#include <support/read_number.h>

#include <chrono>
#include <fmt/format.h>

namespace kiln {

namespace {

/// Reads the number at [begin, begin + size) of a text. No value: other characters than digits.
std::optional<unsigned> number_at(std::string_view text, size_t begin, size_t size) {
  return read_number<unsigned>(text.substr(begin, size));
}

} // namespace

UtcSeconds utc_now() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())
      .time_since_epoch()
      .count();
}

std::optional<UtcSpan> read_utc(std::string_view text) {
  constexpr UtcSeconds day_seconds = 86400;
  const bool has_time = text.size() == 20;
  if ((text.size() != 10 && !has_time) || text[4] != '-' || text[7] != '-') return std::nullopt;
  const auto year = number_at(text, 0, 4), month = number_at(text, 5, 2), day = number_at(text, 8, 2);
  if (!year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(int(*year)), std::chrono::month(*month),
                                         std::chrono::day(*day)};
  if (!date.ok() || *year < 1970) return std::nullopt;
  const UtcSeconds begin = UtcSeconds(std::chrono::sys_days(date).time_since_epoch().count()) * day_seconds;
  if (!has_time) return UtcSpan{begin, begin + day_seconds};

  if (text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != 'Z') return std::nullopt;
  const auto hour = number_at(text, 11, 2), minute = number_at(text, 14, 2), second = number_at(text, 17, 2);
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
  const UtcSeconds time = begin + (UtcSeconds(*hour) * 60 + *minute) * 60 + *second;
  return UtcSpan{time, time + 1};
}

std::string utc_text(UtcSeconds time) {
  const std::chrono::sys_seconds moment{std::chrono::seconds(time)};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(moment - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", int(date.year()), unsigned(date.month()),
                     unsigned(date.day()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

} // namespace kiln
