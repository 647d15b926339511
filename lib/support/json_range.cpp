// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "json.h"

#include "read_number.h"

#include <fmt/format.h>
#include <optional>

namespace kiln {

std::vector<int64_t> read_json_range(
    const JsonValue &range, size_t most,
    const std::function<void(const Location &, std::string, std::string)> &fault) {
  std::vector<int64_t> values;
  auto wrong = [&](const Location &at, std::string what, std::string hint = {}) {
    fault(at, std::move(what), std::move(hint));
    return std::move(values);
  };
  std::optional<int64_t> from, to, step, factor;
  for (size_t i = 0; i < range.names.size(); i++) {
    const std::string &field = range.names[i].text;
    std::optional<int64_t> *known = field == "from"     ? &from
                                    : field == "to"     ? &to
                                    : field == "step"   ? &step
                                    : field == "factor" ? &factor
                                                        : nullptr;
    if (!known)
      return wrong(range.names[i].at, fmt::format("a range has no field \"{}\"", field),
                   "there are from, to, and step or factor");
    const JsonValue &number = range.items[i];
    const auto read = read_number<int64_t>(number.text);
    if (!number.is(JsonValue::Kind::Number) || !read)
      return wrong(number.at, fmt::format("\"{}\" of a range is a whole number", field));
    *known = *read;
  }
  if (!from || !to) return wrong(range.at, "a range has \"from\" and \"to\"");
  if (step && factor) return wrong(range.at, "a range has \"step\" or \"factor\", not both");
  if (step && *step < 1) return wrong(range.at, "the step of a range is above 0");
  if (factor && (*factor < 2 || *from < 1))
    return wrong(range.at, "the factor of a range is above 1, and it begins above 0");
  if (*to < *from) return wrong(range.at, "a range that ends before it begins");
  for (int64_t n = *from;;) {
    if (values.size() >= most) return wrong(range.at, fmt::format("a range of more than {} numbers", most));
    values.push_back(n);
    // Stops before a value that exceeds `to`. The comparison is written so that neither sum nor product can
    // overflow.
    if (factor ? n > *to / *factor : uint64_t(*to) - uint64_t(n) < uint64_t(step.value_or(1))) return values;
    n = factor ? n * *factor : n + step.value_or(1);
  }
}

} // namespace kiln
