// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search space as JSON.
#include "space.h"

#include <algorithm>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;

constexpr size_t max_values = SpacePlan::max_points; ///< per parameter

class SpaceReader {
public:
  Result<TuneSpace> read(const JsonValue &root) {
    if (!root.is(Kind::Object))
      return make_error(ErrorCode::SpaceError,
                        fmt::format("a search space is an object of JSON, not {}", root.kind_name()), root.at,
                        "{\"parameters\": {\"TILE\": [8, 16]}, \"threads\": \"TILE\"}");
    for (size_t i = 0; i < root.names.size(); i++) read_field(root.names[i], root.items[i]);
    if (!faults_.empty()) return Error(std::move(faults_));
    if (space_.parameters.empty() && !space_.candidates.empty()) // the first candidate's parameters
      for (const auto &[name, value] : space_.candidates[0]) space_.parameters.push_back({name, {}});
    return std::move(space_);
  }

private:
  TuneSpace space_;
  std::vector<Diagnostic> faults_;

  void fault(const Location &at, std::string message, std::string hint = {}) {
    faults_.push_back({ErrorCode::SpaceError, std::move(message), at, {}, {}, std::move(hint)});
  }

  void read_field(const JsonValue::Name &name, const JsonValue &value) {
    if (name.text == "parameters")
      read_parameters(value);
    else if (name.text == "candidates")
      read_candidates(value);
    else if (name.text == "constraints")
      read_texts(value, name.text, space_.constraints, SpacePlan::max_points);
    else if (name.text == "sizes")
      space_.sizes = read_settings(value, name.text);
    else if (name.text == "options")
      space_.options = read_settings(value, name.text);
    else if (name.text == "threads" || name.text == "blocks")
      read_extents(value, name.text, name.text == "threads" ? space_.shape.threads : space_.shape.blocks);
    else if (name.text == "shmem")
      text_of(value, name.text, space_.shape.shared_bytes);
    else
      fault(name.at, fmt::format("a search space has no field \"{}\"", name.text),
            "there are parameters, candidates, constraints, sizes, threads, blocks, shmem, options");
  }

  bool text_of(const JsonValue &value, std::string_view what, std::string &into) {
    if (value.is(Kind::String) || value.is(Kind::Number))
      into = value.text;
    else if (value.is(Kind::Boolean))
      into = value.boolean ? "true" : "false";
    else {
      fault(value.at, fmt::format("\"{}\" takes a string or a number, not {}", what, value.kind_name()));
      return false;
    }
    return true;
  }

  void read_texts(const JsonValue &value, std::string_view what, std::vector<std::string> &into,
                  size_t max_count) {
    auto add = [&](const JsonValue &one) {
      if (std::string text; text_of(one, what, text)) into.push_back(std::move(text));
    };
    if (!value.is(Kind::Array)) return add(value);
    for (const JsonValue &one : value.items) add(one);
    if (into.size() > max_count)
      fault(value.at, fmt::format("\"{}\" takes {} at most, not {}", what, max_count, into.size()));
  }

  void read_extents(const JsonValue &value, std::string_view what, std::array<std::string, 3> &into) {
    std::vector<std::string> texts;
    read_texts(value, what, texts, into.size());
    for (size_t i = 0; i < std::min(texts.size(), into.size()); i++) into[i] = std::move(texts[i]);
  }

  std::vector<TuneSetting> read_settings(const JsonValue &value, std::string_view what) {
    std::vector<TuneSetting> settings;
    if (!value.is(Kind::Object)) {
      fault(value.at,
            fmt::format("\"{}\" is an object of names with texts, not {}", what, value.kind_name()));
      return settings;
    }
    for (size_t i = 0; i < value.names.size(); i++)
      if (std::string text; text_of(value.items[i], value.names[i].text, text))
        settings.emplace_back(value.names[i].text, std::move(text));
    return settings;
  }

  void read_candidates(const JsonValue &value) {
    if (!value.is(Kind::Array))
      return fault(value.at, fmt::format("\"candidates\" is a list of objects, not {}", value.kind_name()));
    if (value.items.empty())
      return fault(value.at, "\"candidates\" is empty: leave it out for every combination");
    for (const JsonValue &one : value.items) space_.candidates.push_back(read_settings(one, "candidates"));
  }

  void read_parameters(const JsonValue &value) {
    if (!value.is(Kind::Object))
      return fault(value.at,
                   fmt::format("\"parameters\" is an object of names with lists, not {}", value.kind_name()),
                   "\"parameters\": {\"TILE\": [8, 16]}");
    for (size_t i = 0; i < value.names.size(); i++) {
      TuneParameter parameter{value.names[i].text, {}};
      const JsonValue &list = value.items[i];
      auto add = [&](const JsonValue &one) {
        std::string text;
        if (one.is(Kind::Object))
          read_range(one, parameter);
        else if (text_of(one, parameter.name, text))
          parameter.values.push_back(std::move(text));
      };
      if (!list.is(Kind::Array))
        add(list);
      else
        for (const JsonValue &one : list.items) add(one);
      if (list.is(Kind::Array) && list.items.empty())
        fault(list.at, fmt::format("the parameter {} has no values", parameter.name));
      space_.parameters.push_back(std::move(parameter));
    }
  }

  void read_range(const JsonValue &value, TuneParameter &into) {
    auto tell = [this](const Location &at, std::string what, std::string hint) {
      fault(at, std::move(what), std::move(hint));
    };
    for (int64_t n : read_json_range(value, max_values - std::min(max_values, into.values.size()), tell))
      into.values.push_back(std::to_string(n));
  }
};

} // namespace

Result<TuneSpace> KILN_API_VERSION::read_tune_space(std::string name, std::string json) {
  auto file = std::make_shared<const SourceFile>(0, std::move(name), std::move(json));
  KILN_TRY(JsonValue root, parse_json(file));
  return SpaceReader().read(root);
}

} // namespace kiln
