// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dict_table.h"

#include "library.h"

#include <support/stack.h>

#include <cmath>
#include <ranges>
#include <utility>

namespace kiln {

namespace {

struct Key {
  const Value &value;
  bool by_identity = false;
};

constexpr int max_hashed = 16;        // maximum depth of nested values in a hash; deeper ones hash alike
constexpr size_t min_stack = 1 << 17; // bytes of stack that one level of a comparison needs

uint64_t hash_of_text(std::string_view text) { return std::hash<std::string_view>()(text); }

/// Spreads a hash over all bits. The table uses the low ones.
uint64_t spread(uint64_t hash) {
  hash *= 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

uint64_t hash_of(TypeContext &types, const Key &key, int level = 0) {
  if (level > max_hashed) return 1;
  if (!key.by_identity) {
    if (auto text = text_of(key.value)) return hash_of_text(*text);
    if (auto n = wide_integer_of(types, key.value); n && key.value.type() != types.builtins().Char)
      return std::hash<double>()(double(*n));
    if (auto x = float_of(types, key.value)) return std::isnan(*x) ? 7 : std::hash<double>()(*x);
    if (const std::vector<Value> *fields = key.value.fields()) {
      uint64_t h = key.value.type()->as<DataType>()
                       ? std::hash<const void *>()(&key.value.type()->as<DataType>()->name())
                       : 1;
      for (const Value &field : *fields) h = h * 31 + hash_of(types, {field}, level + 1);
      return h;
    }
    if (const ExprObject *expr = key.value.as_expr()) { // by content
      uint64_t h = std::hash<std::string_view>()(expr->head.text());
      for (const Value &arg : expr->args) h = h * 31 + hash_of(types, {arg}, level + 1);
      return h;
    }
    if (const HostArray *array = key.value.as_array()) { // by content
      uint64_t h = uint64_t(array->length());
      for (int64_t i = 0; i < std::min<int64_t>(array->length(), 16); ++i)
        if (auto element = get_element(types, *array, i); element.ok())
          h = h * 31 + hash_of(types, {*element}, level + 1);
      return h;
    }
  }
  return key.value.hash();
}

bool equal(TypeContext &types, const Key &a, const Key &b) {
  if (egal(a.value, b.value)) return true;
  if (a.value.is_primitive() && a.value.type() == b.value.type() && types.is_integer(a.value.type()))
    return false;
  if (a.by_identity || remaining_stack() < min_stack) return false; // both may contain themselves
  if (auto s = text_of(a.value)) {
    auto t = text_of(b.value);
    return t && *s == *t;
  }
  auto x = wide_integer_of(types, a.value), y = wide_integer_of(types, b.value);
  if (x && y) return *x == *y;
  auto u = float_of(types, a.value), v = float_of(types, b.value);
  if (u && v) return (std::isnan(*u) && std::isnan(*v)) || (*u == *v && std::signbit(*u) == std::signbit(*v));
  const auto *f = a.value.fields(), *g = b.value.fields();
  if (f && g && !f->empty() && f->size() == g->size() && a.value.type()->as<DataType>() &&
      b.value.type()->as<DataType>() &&
      &a.value.type()->as<DataType>()->name() == &b.value.type()->as<DataType>()->name()) {
    for (size_t i = 0; i < f->size(); ++i)
      if (!equal(types, {(*f)[i]}, {(*g)[i]})) return false;
    return true;
  }
  const ExprObject *d = a.value.as_expr(), *e = b.value.as_expr();
  if (d && e) {
    if (a.value.type() != b.value.type() || d->head != e->head || d->args.size() != e->args.size())
      return false;
    for (size_t i = 0; i < d->args.size(); ++i)
      if (!equal(types, {d->args[i]}, {e->args[i]})) return false;
    return true;
  }
  const HostArray *m = a.value.as_array(), *n = b.value.as_array();
  if (!m || !n || m->dims != n->dims) return false;
  for (int64_t i = 0; i < m->length(); ++i) {
    auto p = get_element(types, *m, i), q = get_element(types, *n, i);
    if (!p.ok() || !q.ok() || !equal(types, {*p}, {*q})) return false;
  }
  return true;
}

} // namespace

uint64_t hash_of_key(TypeContext &types, const Value &key) { return hash_of(types, {key}); }

// ---- the table

Dict::Dict(TypeContext &types, bool by_identity, bool is_recorded)
    : types_(types), by_identity_(by_identity), is_recorded_(is_recorded),
      number_(++DictJournal::of_thread().now_) {}

bool Dict::is_recorded() const { return is_recorded_ && DictJournal::of_thread().records(number_); }

template <class IsSame> size_t Dict::find(uint64_t hash, IsSame is_same) const {
  if (index_.empty()) return none;
  const size_t mask = index_.size() - 1;
  for (size_t at = hash & mask; index_[at]; at = (at + 1) & mask) {
    const Entry &entry = entries_[index_[at] - 1];
    if (entry.hash == hash && is_same(entry.key)) return last_ = index_[at] - 1;
  }
  return none;
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
  const Key wanted{key, by_identity_};
  return find(spread(hash_of(types_, wanted)),
              [&](const Value &known) { return equal(types_, {known, by_identity_}, wanted); });
}

size_t Dict::find_text(std::string_view key) const {
  if (const size_t place = find_again(key); place != none) return place;
  if (by_identity_) return find(Value::string(types_, std::string(key)));
  return find(spread(hash_of_text(key)), [&](const Value &known) {
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
  const uint64_t hash = spread(hash_of(types_, {key, by_identity_}));
  const Key wanted{key, by_identity_};
  size_t place = find(hash, [&](const Value &known) { return equal(types_, {known, by_identity_}, wanted); });
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
