// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for dictionaries, which iterate in insertion order. Keys compare by isequal: numbers by
// value, strings and symbols by text, structs by content. An IdDict compares by ===.
#include "library.h"

#include <support/stack.h>

#include <cmath>
#include <list>
#include <unordered_map>

namespace kiln {

namespace {

struct Key {
  Value value;
  bool by_identity = false;
};

constexpr int max_hashed = 16;        // maximum depth of nested values in a hash; deeper ones hash alike
constexpr size_t min_stack = 1 << 17; // bytes of stack that one level of a comparison needs

/// Returns the hash of a key. Equal numbers of different types have equal hashes.
uint64_t hash_of(TypeContext &types, const Key &key, int level = 0) {
  if (level > max_hashed) return 1;
  if (!key.by_identity) {
    if (auto text = text_of(key.value)) return std::hash<std::string_view>()(*text);
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

class Dict final : public HostObject {
public:
  Dict(TypeContext &types, bool by_identity)
      : by_identity_(by_identity), places_(16, Hash{types}, Equal{types}) {}
  struct Entry {
    Value key, value; ///< no key: deleted
  };
  const Entry *find(const Value &key) const {
    auto at = places_.find({key, by_identity_});
    return at == places_.end() ? nullptr : &entries_[at->second];
  }
  void set(const Value &key, Value value) {
    auto [at, is_new] = places_.try_emplace({key, by_identity_}, entries_.size());
    if (is_new)
      entries_.push_back({key, std::move(value)});
    else
      entries_[at->second] = {key, std::move(value)};
  }
  bool erase(const Value &key) {
    auto at = places_.find({key, by_identity_});
    if (at == places_.end()) return false;
    entries_[at->second] = {};
    places_.erase(at);
    if (entries_.size() > 32 && places_.size() < entries_.size() / 4) pack();
    return true;
  }
  void clear() {
    places_.clear();
    entries_.clear();
  }
  size_t size() const { return places_.size(); }
  /// Returns the entry at or after position `place`, and moves `place` to it. Null: the end.
  const Entry *next(size_t &place) const {
    while (place < entries_.size() && !entries_[place].key) ++place;
    return place < entries_.size() ? &entries_[place] : nullptr;
  }

private:
  void pack() {
    std::erase_if(entries_, [](const Entry &e) { return !e.key; });
    for (size_t i = 0; i < entries_.size(); ++i) places_[{entries_[i].key, by_identity_}] = i;
  }
  struct Hash {
    TypeContext &types;
    size_t operator()(const Key &key) const { return hash_of(types, key); }
  };
  struct Equal {
    TypeContext &types;
    bool operator()(const Key &a, const Key &b) const { return equal(types, a, b); }
  };
  bool by_identity_;
  std::unordered_map<Key, size_t, Hash, Equal> places_;
  std::vector<Entry> entries_;
};

Dict *dict_of(const Value &v) { return dynamic_cast<Dict *>(v.as_object()); }

} // namespace

void add_dicts(Library &l) {
  TypeContext &types = l.types;
  // __new_dict(T, by identity): an empty dictionary of type T, with keys compared by === or isequal
  l.add("__new_dict", 2, [&](Interpreter &, Args a) -> Result<Value> {
    return Value::object(a[0].as_type(), std::make_shared<Dict>(types, a[1].low_bits() & 1));
  });
  // __dict_get(d, key, default)
  l.add("__dict_get", 3, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    if (!dict) return Value();
    const Dict::Entry *entry = dict->find(a[1]);
    return entry ? entry->value : a[2];
  });
  l.add("__dict_has", 2, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    return dict ? types.boolean(dict->find(a[1]) != nullptr) : Value();
  });
  l.add("__dict_set", 3, [&](Interpreter &, Args a) -> Result<Value> {
    if (Dict *dict = dict_of(a[0])) dict->set(a[1], a[2]);
    return a[0];
  });
  l.add("__dict_delete", 2, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    return dict ? types.boolean(dict->erase(a[1])) : Value();
  });
  l.add("__dict_clear", 1, [&](Interpreter &, Args a) -> Result<Value> {
    if (Dict *dict = dict_of(a[0])) dict->clear();
    return a[0];
  });
  l.add("__dict_length", 1, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    return dict ? types.int64(int64_t(dict->size())) : Value();
  });
  // __dict_next(d, position): (key, value, next position), or nothing at the end
  l.add("__dict_next", 2, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    if (!dict) return Value();
    size_t place = size_t(a[1].low_bits());
    const Dict::Entry *entry = dict->next(place);
    if (!entry) return l.nothing();
    TypeRef parts[] = {types.type_of(entry->key), types.type_of(entry->value), types.builtins().Int64};
    for (size_t i = 0; i < 2; ++i)
      if ((i ? entry->value : entry->key).as_type()) parts[i] = (i ? entry->value : entry->key).type();
    return Value::structure(types.tuple(parts), {entry->key, entry->value, types.int64(int64_t(place + 1))});
  });
  l.add("objectid", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return Value::primitive(types.builtins().UInt64, {a[0].hash(), 0});
  });
  l.add("__hash", 1, [&](Interpreter &, Args a) -> Result<Value> {
    return Value::primitive(types.builtins().UInt64, {hash_of(types, {a[0]}) * 0x9e3779b97f4a7c15u, 0});
  });
}

} // namespace kiln
