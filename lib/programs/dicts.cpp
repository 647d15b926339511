// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for dictionaries.
#include "dict_table.h"
#include "key_rules.h"
#include "library.h"

namespace kiln {

namespace {

Dict *dict_of(const Value &v) { return dynamic_cast<Dict *>(v.as_object()); }

} // namespace

void add_dicts(Library &l) {
  TypeContext &types = l.types;
  // __new_dict(T, by identity): an empty dictionary of type T, with keys compared by === or isequal
  l.add("__new_dict", 2, [&](Interpreter &, Args a) -> Result<Value> {
    return Value::object(a[0].as_type(), std::make_shared<Dict>(l.program.keys, a[1].low_bits() & 1,
                                                                l.program.hot.can_pass(a[0].as_type())));
  });
  // __dict_get(d, key, default)
  l.add("__dict_get", 3, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    if (!dict) return Value();
    const size_t place = dict->find(a[1]);
    KILN_CHECK(l.program.keys.take_error());
    return place == Dict::none ? a[2] : dict->entry(place).value;
  });
  l.add("__dict_has", 2, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    if (!dict) return Value();
    const bool is_found = dict->find(a[1]) != Dict::none;
    KILN_CHECK(l.program.keys.take_error());
    return types.boolean(is_found);
  });
  l.add("__dict_set", 3, [&](Interpreter &, Args a) -> Result<Value> {
    if (Dict *dict = dict_of(a[0])) dict->set(a[1], a[2]);
    KILN_CHECK(l.program.keys.take_error());
    return a[0];
  });
  // __dict_set_text(d, key, value): makes a String of the key only if it is new
  l.add("__dict_set_text", 3, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    const auto key = text_of(a[1]);
    if (!dict || !key) return Value();
    if (const size_t place = dict->find_text(*key); place != Dict::none)
      dict->set_value(place, a[2]);
    else
      dict->set(Value::string(types, std::string(*key)), a[2]);
    return a[0];
  });
  l.add("__note_missing", 1, [&](Interpreter &, Args) -> Result<Value> { return l.nothing(); });
  l.add("__dict_delete", 2, [&](Interpreter &, Args a) -> Result<Value> {
    Dict *dict = dict_of(a[0]);
    if (!dict) return Value();
    const size_t place = dict->find(a[1]);
    KILN_CHECK(l.program.keys.take_error());
    if (place != Dict::none) dict->erase(place);
    return types.boolean(place != Dict::none);
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
  l.add("__hash", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const uint64_t hash = l.program.keys.hash_of_content(a[0]);
    KILN_CHECK(l.program.keys.take_error());
    return Value::primitive(types.builtins().UInt64, {KeyRules::combine(hash, a[1].low_bits()), 0});
  });
}

} // namespace kiln
