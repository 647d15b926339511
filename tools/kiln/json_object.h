// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes JSON objects, for --json.
#pragma once

#include <support/support.h>

#include <cmath>
#include <concepts>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace kiln::tool {

/// Builds the text of a JSON object. Members are in the order of the calls of add().
class JsonObject {
public:
  JsonObject &add(std::string_view name, std::string_view text) { return add_json(name, json_string(text)); }
  JsonObject &add(std::string_view name, const char *text) { return add(name, std::string_view(text)); }
  JsonObject &add(std::string_view name, const std::string &text) {
    return add(name, std::string_view(text));
  }
  /// Adds a Boolean or an integer.
  JsonObject &add(std::string_view name, std::integral auto value) {
    return add_json(name, fmt::format("{}", value));
  }
  /// Adds a number. Infinite numbers and NaN become null, because JSON has neither.
  JsonObject &add(std::string_view name, std::floating_point auto number) {
    return add_json(name, std::isfinite(number) ? fmt::format("{}", number) : "null");
  }
  JsonObject &add(std::string_view name, const JsonObject &object) { return add_json(name, object.text()); }
  JsonObject &add(std::string_view name, const std::vector<JsonObject> &objects) {
    return add_list(name, objects, [](const JsonObject &object) { return object.text(); });
  }
  JsonObject &add(std::string_view name, const std::vector<std::string> &texts) {
    return add_list(name, texts, [](const std::string &text) { return json_string(text); });
  }
  JsonObject &add_null(std::string_view name) { return add_json(name, "null"); }
  /// Adds an array. `json_of` returns the JSON text of an item.
  template <class Range, class JsonOf>
  JsonObject &add_list(std::string_view name, const Range &items, JsonOf &&json_of) {
    std::string list;
    for (const auto &item : items) list += (list.empty() ? "" : ", ") + std::string(json_of(item));
    return add_json(name, fmt::format("[{}]", list));
  }
  std::string text() const { return fmt::format("{{{}}}", members_); }
  /// Returns text() with a newline.
  std::string line() const { return text() + "\n"; }

private:
  JsonObject &add_json(std::string_view name, std::string_view json) {
    members_ += fmt::format("{}{}: {}", members_.empty() ? "" : ", ", json_string(name), json);
    return *this;
  }
  std::string members_;
};

} // namespace kiln::tool
