// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "record.h"

#include <support/read_number.h>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;
constexpr int record_version = 1;

/// Reads the fields of a JSON record, and remembers the first error.
class RecordReader {
public:
  explicit RecordReader(const JsonValue &object) : object_(object) {}
  bool has_failed() const { return has_failed_; }

  template <class T>
    requires std::is_arithmetic_v<T>
  void take(std::string_view name, T &into) {
    const JsonValue *value = object_.find(name);
    if (!value) return fail();
    if constexpr (std::is_same_v<T, bool>) {
      if (!value->is(Kind::Boolean)) return fail();
      into = value->boolean;
    } else {
      number(*value, into);
    }
  }
  void take(std::string_view name, std::string &into) {
    const JsonValue *value = object_.find(name);
    if (!value || !value->is(Kind::String)) return fail();
    into = value->text;
  }
  template <class List> void take_list(std::string_view name, List &into) {
    const JsonValue *value = object_.find(name);
    if (!value || !value->is(Kind::Array)) return fail();
    if constexpr (requires { into.resize(1); })
      into.resize(value->items.size());
    else if (into.size() != value->items.size())
      return fail();
    for (size_t i = 0; i < value->items.size(); i++)
      if constexpr (std::is_same_v<typename List::value_type, std::string>) {
        if (!value->items[i].is(Kind::String)) return fail();
        into[i] = value->items[i].text;
      } else {
        number(value->items[i], into[i]);
      }
  }
  void fail() { has_failed_ = true; }

private:
  const JsonValue &object_;
  bool has_failed_ = false;

  template <class T> void number(const JsonValue &value, T &into) {
    if (const auto read = read_number<T>(value.text); read && value.is(Kind::Number))
      into = *read;
    else
      fail();
  }
};

std::optional<TuneState> state_of(std::string_view name) {
  for (int i = 0; i <= int(TuneState::Wrong); i++)
    if (tune_state_name(TuneState(i)) == name) return TuneState(i);
  return std::nullopt;
}

template <class List> std::string joined(const List &list) {
  std::string out;
  for (const auto &each : list) {
    if constexpr (std::is_same_v<typename List::value_type, std::string>)
      out += fmt::format("{}{}", out.empty() ? "" : ",", json_string(each));
    else
      out += fmt::format("{}{}", out.empty() ? "" : ",", each);
  }
  return "[" + out + "]";
}

} // namespace

std::string TuneRecord::write() const {
  std::string out = fmt::format("{{\"kiln_tune\":{},\"finished\":{},\"ceiling\":{},\"candidates\":[",
                                record_version, is_finished, ceiling);
  size_t count = 0;
  for (const auto &[key, recorded] : candidates) {
    if (count == max_candidates) break;
    const TuneCandidate &c = recorded.candidate;
    const KernelResources &r = c.resources;
    out += fmt::format("{}\n{{\"key\":\"{}\",\"values\":{},\"state\":\"{}\",\"reason\":{},\"verified\":{},"
                       "\"threads\":{},\"blocks\":{},\"shmem\":{},\"samples\":{},"
                       "\"resources\":[{},{},{},{},{},{},{}],\"occupancy\":{},\"limit\":{}}}",
                       count++ ? "," : "", key.hex(), joined(c.values), tune_state_name(c.state),
                       json_string(c.reason), recorded.is_verified, joined(c.shape.threads),
                       joined(c.shape.blocks), c.shape.shared_bytes, joined(c.samples), r.registers,
                       r.stack_bytes, r.spill_store_bytes, r.spill_load_bytes, r.shared_bytes,
                       r.constant_bytes, r.barriers, c.occupancy, json_string(c.occupancy_limit));
  }
  return out + "]}\n";
}

Result<TuneRecord> TuneRecord::read(std::string text) {
  const Error damaged = input_error("it is no record of a search by this version of Kiln");
  auto parsed = parse_json(std::make_shared<const SourceFile>(0, "record", std::move(text)));
  if (!parsed.ok() || !parsed->is(Kind::Object)) return damaged;
  TuneRecord record;
  RecordReader root(*parsed);
  int version = 0;
  root.take("kiln_tune", version);
  root.take("finished", record.is_finished);
  root.take("ceiling", record.ceiling);
  const JsonValue *all = parsed->find("candidates");
  if (root.has_failed() || version != record_version || !all || !all->is(Kind::Array)) return damaged;
  for (const JsonValue &each : all->items) {
    if (!each.is(Kind::Object)) return damaged;
    RecordReader in(each);
    RecordedCandidate made;
    TuneCandidate &c = made.candidate;
    std::string key, state;
    std::array<uint32_t, 7> resources{};
    in.take("key", key);
    in.take_list("values", c.values);
    in.take("state", state);
    in.take("reason", c.reason);
    in.take("verified", made.is_verified);
    in.take_list("threads", c.shape.threads);
    in.take_list("blocks", c.shape.blocks);
    in.take("shmem", c.shape.shared_bytes);
    in.take_list("samples", c.samples);
    in.take_list("resources", resources);
    in.take("occupancy", c.occupancy);
    in.take("limit", c.occupancy_limit);
    const auto known_key = read_fingerprint(key);
    const auto known_state = state_of(state);
    if (in.has_failed() || !known_key || !known_state) return damaged;
    for (double sample : c.samples)
      if (!(sample > 0)) return damaged;
    c.state = *known_state;
    c.resources = {resources[0], resources[1], resources[2], resources[3],
                   resources[4], resources[5], resources[6]};
    record.candidates.emplace(*known_key, std::move(made));
  }
  return record;
}

std::optional<TuneRecord> RecordStore::load() const {
  std::optional<std::string> text = find_record(session_, name_);
  if (!text) return std::nullopt;
  auto record = TuneRecord::read(std::move(*text));
  if (record.ok()) return std::move(*record);
  drop_record(session_, name_, record.error());
  return std::nullopt;
}

void RecordStore::save(const TuneRecord &record, bool waits) const {
  keep_record(session_, name_, record.write(), waits);
}

} // namespace kiln
