// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dict_table.h"

#include "key_rules.h"
#include "library.h"

#include <ranges>
#include <utility>

namespace kiln {

// ---- the table

Dict::Dict(KeyRules &rules, bool by_identity, bool is_recorded)
    : rules_(rules), by_identity_(by_identity), is_recorded_(is_recorded),
      number_(++DictJournal::of_thread().now_) {}

bool Dict::is_recorded() const { return is_recorded_ && DictJournal::of_thread().records(number_); }

template <class IsSame> size_t Dict::find(uint64_t hash, IsSame is_same) const {
  if (index_.empty()) return none;
  const size_t mask = index_.size() - 1;
  for (size_t at = hash & mask; index_[at]; at = (at + 1) & mask) {
    const size_t place = index_[at] - 1;
    if (entries_[place].hash != hash) continue;
    const bool is_found = is_same(entries_[place].key);
    if (index_.size() <= mask) return none; // a method of the program changed this dictionary
    if (is_found) return last_ = place;
  }
  return none;
}

uint64_t Dict::hash_of(const Value &key) const {
  return by_identity_ ? KeyRules::combine(key.hash(), 0) : rules_.hash(key);
}

bool Dict::is_same(const Value &known, const Value &key) const {
  if (by_identity_) return egal(known, key);
  const Value held = known; // a method may remove the entry
  return rules_.equal(held, key);
}

/// Returns the place that was found last if it has this number, string or text as its key. Programs often
/// read and store by one key.
template <class K> size_t Dict::find_again(const K &key) const {
  if (last_ >= entries_.size()) return none;
  const Value &known = entries_[last_].key;
  bool is_same = false;
  if constexpr (std::is_same_v<K, std::string_view>)
    is_same = known.as_string() && *known.as_string() == key;
  else
    is_same = (known.is_primitive() || known.as_string()) && egal(known, key);
  return is_same ? last_ : none;
}

size_t Dict::find(const Value &key) const {
  if (const size_t place = find_again(key); place != none) return place;
  return find(hash_of(key), [&](const Value &known) { return is_same(known, key); });
}

size_t Dict::find_text(std::string_view key) const {
  if (const size_t place = find_again(key); place != none) return place;
  if (by_identity_) return find(Value::string(rules_.types, std::string(key)));
  return find(KeyRules::hash_of_text(key), [&](const Value &known) {
    if (const std::string *text = known.as_string()) return *text == key;
    return text_of(known) == key;
  });
}

void Dict::add_to_index(size_t place) {
  const size_t mask = index_.size() - 1;
  size_t at = entries_[place].hash & mask;
  while (index_[at]) at = (at + 1) & mask;
  index_[at] = uint32_t(place + 1);
}

/// Moves later entries of the same run back, so that no gap ends a search too early.
void Dict::remove_from_index(size_t place) {
  const size_t mask = index_.size() - 1;
  size_t gap = entries_[place].hash & mask;
  while (index_[gap] != place + 1) gap = (gap + 1) & mask;
  for (size_t at = (gap + 1) & mask; index_[at]; at = (at + 1) & mask) {
    const size_t home = entries_[index_[at] - 1].hash & mask;
    if (((at - home) & mask) < ((at - gap) & mask)) continue;
    index_[gap] = index_[at];
    gap = at;
  }
  index_[gap] = 0;
}

void Dict::make_index() {
  size_t size = 16;
  while (size < 2 * (entries_.size() + 1)) size *= 2;
  index_.assign(size, 0);
  size_ = first_ = 0;
  for (size_t place = 0; place < entries_.size(); ++place) {
    if (!entries_[place].key) continue;
    add_to_index(place);
    ++size_;
  }
}

/// Replaces the entry at a place, or adds one at the end.
void Dict::change(size_t place, Entry to) {
  const bool is_new = place == entries_.size();
  if (is_recorded())
    DictJournal::of_thread().add({0, shared_from_this(), place, is_new ? Entry() : entries_[place], {}});
  if (is_new) entries_.emplace_back();
  const bool was_used = bool(entries_[place].key), is_used = bool(to.key);
  if (was_used && !is_used) remove_from_index(place);
  const Entry old =
      std::exchange(entries_[place], std::move(to)); // freed last: a destructor may reach this object
  size_ += size_t(is_used) - size_t(was_used);
  if (is_used && !was_used) {
    first_ = std::min(first_, place);
    if (index_.size() < 2 * entries_.size())
      make_index();
    else
      add_to_index(place);
  }
  while (first_ < entries_.size() && !entries_[first_].key) ++first_;
}

/// Replaces all entries.
void Dict::replace(std::vector<Entry> entries) {
  entries_.swap(entries);
  if (is_recorded()) DictJournal::of_thread().add({0, shared_from_this(), none, {}, entries});
  make_index();
}

void Dict::set_value(size_t place, Value value) {
  if (is_recorded()) {
    change(place, {entries_[place].key, std::move(value), entries_[place].hash});
    return;
  }
  const Value old = std::exchange(entries_[place].value, std::move(value)); // freed last
}

void Dict::set(Value key, Value value) {
  if (const size_t place = find_again(key); place != none) return set_value(place, std::move(value));
  const uint64_t hash = hash_of(key);
  size_t place = find(hash, [&](const Value &known) { return is_same(known, key); });
  if (rules_.has_failed()) return;
  if (place == none) {
    // Only here, since a loop over a dictionary may delete its entries. A journal refers to places.
    if (entries_.size() >= 32 && size_ < entries_.size() / 4 && !is_recorded()) {
      std::erase_if(entries_, [](const Entry &entry) { return !entry.key; });
      make_index();
    }
    place = entries_.size();
  }
  change(place, {std::move(key), std::move(value), hash});
}

const Dict::Entry *Dict::next(size_t &place) const {
  place = std::max(place, first_);
  while (place < entries_.size() && !entries_[place].key) ++place;
  return place < entries_.size() ? &entries_[place] : nullptr;
}

// ---- the journal

DictJournal &DictJournal::of_thread() {
  thread_local DictJournal journal;
  return journal;
}

uint64_t DictJournal::begin() {
  ++users_;
  return last_mark_ = ++now_;
}

void DictJournal::end() {
  if (--users_ == 0) std::exchange(changes_, {});
}

void DictJournal::add(Change change) {
  change.number = ++now_;
  if (changes_.size() < max_changes) {
    changes_.push_back(std::move(change));
    return;
  }
  std::exchange(changes_, {});
  lost_ = now_;
}

std::vector<DictJournal::Change> DictJournal::roll_back(uint64_t mark) {
  std::vector<Change> undone;
  const uint32_t users = std::exchange(users_, 0); // undoing is not recorded
  while (!changes_.empty() && changes_.back().number > mark) {
    Change change = std::move(changes_.back());
    changes_.pop_back();
    Dict &dict = *change.dict;
    if (change.place == Dict::none) {
      undone.push_back({0, change.dict, Dict::none, {}, dict.entries_});
      dict.replace(std::move(change.entries));
      continue;
    }
    undone.push_back({0, change.dict, change.place, dict.entries_[change.place], {}});
    dict.change(change.place, std::move(change.entry));
    if (change.place + 1 == dict.entries_.size() && !dict.entries_.back().key) dict.entries_.pop_back();
  }
  users_ = users;
  return undone;
}

void DictJournal::repeat(std::vector<Change> undone) {
  for (Change &change : std::views::reverse(undone))
    if (change.place == Dict::none)
      change.dict->replace(std::move(change.entries));
    else
      change.dict->change(change.place, std::move(change.entry));
}

} // namespace kiln
