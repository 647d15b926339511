// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of compiled calls: their state before an interpreted call that may begin anew, and vectors that
// change their length.
#include "hot_code.h"

#include <algorithm>
#include <cstring>

namespace kiln {

namespace {

constexpr size_t max_saved_calls = 256; // interpreted calls with saved arrays

/// Collects the arrays of bits in the values, also in fields. An array that occurs twice is collected twice.
void collect_arrays(std::span<const Value> values, std::vector<HostArray *> &found, int level = 0) {
  for (const Value &value : values)
    if (HostArray *array = value.as_array(); array && array->values.empty())
      found.push_back(array);
    else if (const auto *fields = value.fields(); fields && level < HotCode::max_levels)
      collect_arrays(*fields, found, level + 1);
}

} // namespace

bool share_bytes(const HostArray &x, const HostArray &y) {
  const std::less<> before;
  return !x.bytes.empty() && !y.bytes.empty() && before(x.bytes.begin(), y.bytes.end()) &&
         before(y.bytes.begin(), x.bytes.end());
}

/// Saves the state before a small interpreted call, which restarts as compiled code if its loop runs long.
void HotCode::save_before(const Value *call, std::span<const Value> args) {
  std::vector<HostArray *> arrays;
  collect_arrays(args, arrays);
  // Some entries are left by calls that ended with an exception: dropping all is safe.
  if (before_.size() >= max_saved_calls) before_.clear();
  before_.erase(call);
  Before &before = before_.try_emplace(call, random_).first->second;
  before.has_arrays =
      std::ranges::all_of(arrays, [&](const HostArray *a) { return types_.is_isbits(a->element); });
  if (!before.has_arrays) return;
  for (const HostArray *array : arrays) {
    before.has_shared |= std::ranges::any_of(
        arrays, [&](const HostArray *other) { return other != array && share_bytes(*other, *array); });
    before.arrays.push_back(array->bytes);
  }
}

Result<Value> HotCode::restart(const Method &method, std::span<const Value> args) {
  if (is_compiling_) return Value();
  MethodCodes &known = find_method(method);
  if (known.is_for_host) return Value();
  // The interpreted part of the call must not take effect twice: its arrays and dictionaries are restored.
  auto found = before_.extract(args.data());
  if (found.empty() || !found.mapped().has_arrays) return Value();
  const Before &before = found.mapped();
  std::vector<Value> plain;
  std::span<const Value> now_given = plain_arguments(args, plain);
  std::vector<HostArray *> arrays;
  collect_arrays(now_given, arrays);
  if (arrays.size() != before.arrays.size()) return Value();
  for (size_t i = 0; i < arrays.size(); ++i)
    if (arrays[i]->bytes.size() != before.arrays[i].size() &&
        (before.has_shared || arrays[i]->dims.size() != 1))
      return Value();
  Code &code = find(known.codes, now_given);
  if (code.wanted == Wanted::Refused || (code.wanted == Wanted::No && !compile(code, true))) return Value();
  if (keeps_variables(code, plain) || (code.writes && !code.variables.empty())) return Value();
  DictJournal &journal = DictJournal::of_thread();
  if (code.changes_dicts && !journal.can_roll_back(before.mark)) return Value();
  if (code.draws && !random_.can_return(before.random)) return Value();
  std::vector<std::vector<std::byte>> now;
  for (HostArray *array : arrays) now.push_back(array->bytes);
  set_bytes(arrays, before.arrays);
  std::vector<DictJournal::Change> undone;
  if (code.changes_dicts) undone = journal.roll_back(before.mark);
  const RandomNumbers::Mark random_now = random_.mark();
  if (code.draws) random_.return_to(before.random);
  auto result = execute(code, now_given);
  if (result.ok() && !*result) { // the interpreter continues the loop
    set_bytes(arrays, now);
    if (code.draws) random_.return_to(random_now);
    journal.repeat(std::move(undone));
  }
  return result;
}

size_t HotCode::element_bytes(const HostArray &array) const {
  const Layout *layout = layout_of(types_, array.element);
  return layout ? layout->size : 0;
}

/// Overwrites the arrays' bytes in place, since other arrays may share the bytes. Vectors that grew or shrank
/// get their old lengths.
void HotCode::set_bytes(std::span<HostArray *const> arrays, const std::vector<std::vector<std::byte>> &to) {
  for (size_t i = 0; i < arrays.size(); ++i) {
    HostArray &array = *arrays[i];
    if (array.bytes.size() != to[i].size()) {
      array.bytes.resize(to[i].size());
      array.dims[0] = int64_t(to[i].size() / element_bytes(array));
    }
    if (!to[i].empty()) std::memcpy(array.bytes.data(), to[i].data(), to[i].size());
  }
}

/// Gives a vector of the arguments capacity for `bytes` bytes, and more for later growth. The vector's length
/// stays that of before the call until take_lengths(). Empty: the header is of no argument.
std::optional<bool> HotCode::grow(Packed &given, uint64_t *header, uint64_t bytes) {
  for (size_t i = 0; i < given.headers.size(); ++i) {
    if (given.headers[i].data() != header) continue;
    ArrayBytes &of = given.arrays[i].first->bytes;
    const uint64_t capacity = std::max({bytes, of.size() + of.size() / 2, min_capacity});
    if (capacity > memory_) return false;
    of.resize(capacity);
    header[0] = uint64_t(reinterpret_cast<uintptr_t>(of.data()));
    header[1] = capacity;
    return true;
  }
  return std::nullopt;
}

/// Gives vectors of the arguments the lengths that they got in the call.
void HotCode::take_lengths(Packed &given) {
  for (size_t i = 0; i < given.headers.size(); ++i) {
    HostArray &array = *given.arrays[i].first;
    if (array.dims.size() != 1) continue;
    array.dims[0] = int64_t(given.headers[i][2]);
    array.bytes.resize(size_t(array.dims[0]) * element_bytes(array));
  }
}

} // namespace kiln
