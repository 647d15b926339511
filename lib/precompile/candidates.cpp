// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "candidates.h"

#include <algorithm>
#include <functional>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;

constexpr size_t max_values = 100'000; ///< per name

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Splits a text at the names of candidates, $NAME and $(NAME). Calls `name` for each name, and `text` for
/// the text between names.
void split(std::string_view whole, const std::function<void(std::string_view)> &text,
           const std::function<void(std::string_view)> &name) {
  size_t begin = 0;
  for (size_t at = 0; (at = whole.find('$', at)) != std::string_view::npos;) {
    bool is_bracketed = whole.substr(at + 1, 1) == "(";
    size_t first = at + 1 + is_bracketed, end = first;
    while (end < whole.size() && is_name_character(whole[end])) end++;
    bool closes = !is_bracketed || whole.substr(end, 1) == ")";
    if (end == first || !closes || (whole[first] >= '0' && whole[first] <= '9')) {
      at++;
      continue;
    }
    text(whole.substr(begin, at - begin));
    name(whole.substr(first, end - first));
    begin = at = end + is_bracketed;
  }
  text(whole.substr(begin));
}

struct ListReader {
  const std::string &name;
  std::vector<Diagnostic> &faults;
  std::vector<std::string> values = {};

  void fault(const Location &at, std::string message, std::string hint = {}) {
    faults.push_back({ErrorCode::ManifestError, std::move(message), at, {}, {}, std::move(hint)});
  }

  void add(const JsonValue &value) {
    if (value.is(Kind::String) || value.is(Kind::Number))
      values.push_back(value.text);
    else if (value.is(Kind::Boolean))
      values.push_back(value.boolean ? "true" : "false");
    else if (value.is(Kind::Object))
      range(value);
    else
      fault(value.at, fmt::format("a candidate for {} is a string, a number, true, false or a range, not {}",
                                  name, value.kind_name()));
  }

  void range(const JsonValue &value) {
    auto tell = [this](const Location &at, std::string what, std::string hint) {
      fault(at, std::move(what), std::move(hint));
    };
    for (int64_t n : read_json_range(value, max_values - std::min(max_values, values.size()), tell))
      values.push_back(std::to_string(n));
  }
};

} // namespace

void read_candidates(const JsonValue &value, Candidates &into, std::vector<Diagnostic> &faults) {
  if (!value.is(Kind::Object)) {
    faults.push_back({ErrorCode::ManifestError,
                      fmt::format("\"candidates\" is an object, not {}", value.kind_name()),
                      value.at,
                      {},
                      {},
                      "\"candidates\": {\"T\": [\"Float32\", \"Float64\"]}"});
    return;
  }
  for (size_t i = 0; i < value.names.size(); i++) {
    const std::string &name = value.names[i].text;
    ListReader reader{name, faults};
    if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character) ||
        (name[0] >= '0' && name[0] <= '9'))
      reader.fault(value.names[i].at,
                   fmt::format("`{}` is no name: it is made of letters, digits and _", name));
    const JsonValue &list = value.items[i];
    if (list.is(Kind::Array))
      for (const JsonValue &each : list.items) reader.add(each);
    else if (list.is(Kind::Object))
      reader.add(list);
    else
      reader.fault(list.at, fmt::format("the candidates for {} are a list or a range, not {}", name,
                                        list.kind_name()));
    if (list.is(Kind::Array) && list.items.empty())
      reader.fault(list.at, fmt::format("there are no candidates for {}, so there are no jobs", name));
    into.set(name, std::move(reader.values));
  }
}

Result<Candidates::Lists> Candidates::used_in(std::span<const std::string_view> texts) const {
  Lists used;
  std::string missing;
  for (std::string_view text : texts)
    split(
        text, [](std::string_view) {},
        [&](std::string_view name) {
          auto found = lists_.find(name);
          if (found == lists_.end())
            missing = name;
          else
            used.insert(*found);
        });
  if (!missing.empty())
    return make_error(ErrorCode::ManifestError, fmt::format("${} has no candidates", missing), {},
                      fmt::format("\"candidates\": {{\"{}\": [...]}}", missing));
  for (const auto &[name, values] : used) used_.insert(name);
  return used;
}

bool Candidates::Choice::next() {
  size_t i = turn_.size();
  for (auto list = lists_.rbegin(); list != lists_.rend(); ++list) {
    if (++turn_[--i] < list->second.size()) return true;
    turn_[i] = 0;
  }
  return false;
}

std::string Candidates::Choice::filled(std::string_view whole) const {
  std::string out;
  split(
      whole, [&](std::string_view text) { out += text; },
      [&](std::string_view name) {
        auto list = lists_.find(name);
        out += list->second[turn_[size_t(std::distance(lists_.begin(), list))]];
      });
  return out;
}

} // namespace kiln
