// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hash table of dictionaries, which iterate in insertion order, and the journal of their changes.
#pragma once

#include <kiln/extension/language/type_context.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln {

class DictJournal;
class KeyRules;

/// A dictionary of a program. Keys compare by isequal (key_rules.h), those of an IdDict by ===. After a
/// search, the caller asks the rules for the error of a method.
class Dict final : public HostObject, public std::enable_shared_from_this<Dict> {
public:
  /// `is_recorded`: in the journal. Compiled code changes such dictionaries alone.
  Dict(KeyRules &rules, bool by_identity, bool is_recorded);
  struct Entry {
    Value key, value; ///< no key: deleted
    uint64_t hash = 0;
  };
  static constexpr size_t none = ~size_t(0);

  /// Returns the place of a key; `none`: there is no such key. Places are valid until the next insertion.
  size_t find(const Value &key) const;
  size_t find_text(std::string_view key) const;
  void set(Value key, Value value);
  void set_value(size_t place, Value value);
  void erase(size_t place) { change(place, {}); }
  void clear() { replace({}); }
  size_t size() const { return size_; }
  /// Returns the entry at or after position `place`, and moves `place` to it. Null: the end.
  const Entry *next(size_t &place) const;
  const Entry &entry(size_t place) const { return entries_[place]; }

private:
  friend class DictJournal;
  bool is_recorded() const;
  template <class IsSame> size_t find(uint64_t hash, IsSame is_same) const;
  template <class K> size_t find_again(const K &key) const;
  uint64_t hash_of(const Value &key) const;
  bool is_same(const Value &known, const Value &key) const;
  void add_to_index(size_t place);
  void remove_from_index(size_t place);
  void make_index();
  void change(size_t place, Entry to);
  void replace(std::vector<Entry> entries);

  KeyRules &rules_;
  const bool by_identity_, is_recorded_;
  const uint64_t number_;       ///< of the journal
  size_t size_ = 0, first_ = 0; ///< `first_`: no entry before this place has a key
  mutable size_t last_ = none;  ///< place that was found last
  std::vector<Entry> entries_;
  std::vector<uint32_t> index_; ///< by hash, with linear probing: place + 1; 0: empty
};

/// Changes of dictionaries on this thread, recorded while calls run that may have to begin anew. Changes,
/// marks and new dictionaries are numbered in order of time.
class DictJournal {
public:
  static DictJournal &of_thread();
  /// Begins to record. Returns a mark for roll_back(). Dictionaries made later are not recorded.
  uint64_t begin();
  /// Ends what begin() began.
  void end();
  /// True if all changes since a mark are recorded.
  bool can_roll_back(uint64_t mark) const { return mark >= lost_; }
  /// Replaces one entry of a dictionary, or all.
  struct Change {
    uint64_t number;
    std::shared_ptr<Dict> dict;
    size_t place; ///< Dict::none: all entries
    Dict::Entry entry;
    std::vector<Dict::Entry> entries;
  };
  /// Undoes the changes since a mark. Returns changes that repeat() makes again.
  std::vector<Change> roll_back(uint64_t mark);
  void repeat(std::vector<Change> undone);

private:
  friend class Dict;
  static constexpr size_t max_changes = 10'000;
  bool records(uint64_t dict) const { return users_ > 0 && dict < last_mark_ && last_mark_ >= lost_; }
  void add(Change change);
  uint32_t users_ = 0;
  uint64_t now_ = 0, last_mark_ = 0;
  uint64_t lost_ = 0; ///< changes up to this number are not recorded
  std::vector<Change> changes_;
};

} // namespace kiln
