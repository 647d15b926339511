// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that compiled code of programs calls on references
// (runtime/library/program/compiled_references.jl). A function that may run out of memory returns null or 0.
#include "library.h"
#include "references.h"

#include <host/host.h>

#include <algorithm>

namespace kiln {

namespace {

constexpr int64_t max_digits = int64_t(1) << 31;
constexpr uint64_t entry_bytes = 128; // of a dictionary, with its key and value

/// A plain function that no program calls has constant strings alone, and makes no objects.
std::string_view text_of_reference(const void *text) {
  const References *r = References::current();
  return r ? r->text(text) : static_cast<const char *>(text);
}

/// A String, or the part of one from byte `offset`. `size` < 0: to its end.
std::string_view part_of(const void *text, int64_t offset, int64_t size) {
  const std::string_view whole = text_of_reference(text);
  return size < 0 ? whole : whole.substr(std::min(size_t(offset), whole.size()), size_t(size));
}

extern "C" {

uint64_t *kiln_words(int64_t which) { return References::current()->words(size_t(which)); }

// ---- dictionaries

void *kiln_dict_make(const void *type_key, bool by_identity) {
  References *r = References::current();
  if (!r) return nullptr;
  auto type = r->types_by_key->find(reinterpret_cast<uintptr_t>(type_key));
  if (type == r->types_by_key->end() || !r->charge(entry_bytes)) return nullptr;
  return r->make(Value::object(type->second, std::make_shared<Dict>(r->shapes.keys, by_identity, true)));
}

/// Returns the place of a key, counted from 1. 0: there is no such key.
int64_t kiln_dict_find(const void *dict, const uint64_t *key) {
  References &r = *References::current();
  return int64_t(r.dict(dict)->find(r.from_words(*r.shapes_of(dict).first, key)) + 1);
}

int64_t kiln_dict_find_text(const void *dict, const void *text, int64_t offset, int64_t size) {
  return int64_t(References::current()->dict(dict)->find_text(part_of(text, offset, size)) + 1);
}

const uint64_t *kiln_dict_item(const void *dict, int64_t place, bool is_value) {
  References &r = *References::current();
  const Dict::Entry &entry = r.dict(dict)->entry(size_t(place - 1));
  const auto shapes = r.shapes_of(dict);
  return is_value ? r.words_of(*shapes.second, entry.value) : r.words_of(*shapes.first, entry.key);
}

bool kiln_dict_set(const void *dict, const uint64_t *key, const uint64_t *value) {
  References &r = *References::current();
  const auto shapes = r.shapes_of(dict);
  Dict &d = *r.dict(dict);
  const size_t before = d.size();
  d.set(r.from_words(*shapes.first, key), r.from_words(*shapes.second, value));
  return d.size() == before || r.charge(entry_bytes);
}

/// Like kiln_dict_set. Makes a string of the text only if the key is new.
bool kiln_dict_set_text(const void *dict, const void *text, int64_t offset, int64_t size,
                        const uint64_t *value) {
  References &r = *References::current();
  Dict &d = *r.dict(dict);
  const std::string_view key = part_of(text, offset, size);
  Value made = r.from_words(*r.shapes_of(dict).second, value);
  if (const size_t place = d.find_text(key); place != Dict::none) {
    d.set_value(place, std::move(made));
    return true;
  }
  d.set(Value::string(r.shapes.types, std::string(key)), std::move(made));
  return r.charge(entry_bytes + key.size());
}

void kiln_dict_erase(const void *dict, int64_t place) {
  References::current()->dict(dict)->erase(size_t(place - 1));
}

void kiln_dict_clear(const void *dict) { References::current()->dict(dict)->clear(); }

int64_t kiln_dict_length(const void *dict) { return int64_t(References::current()->dict(dict)->size()); }

/// Returns the place of the next entry after a place. 0: the end.
int64_t kiln_dict_next(const void *dict, int64_t place) {
  size_t at = size_t(place);
  return References::current()->dict(dict)->next(at) ? int64_t(at + 1) : 0;
}

/// Notes the key of a KeyError that is about to be thrown.
void kiln_dict_missing(const uint64_t *key, const void *type_key) {
  References &r = *References::current();
  auto type = r.types_by_key->find(reinterpret_cast<uintptr_t>(type_key));
  const WordShape *shape = type == r.types_by_key->end() ? nullptr : r.shapes.find(type->second);
  r.missing_key = shape ? r.from_words(*shape, key) : Value();
}

// ---- arrays of other elements than bits

int64_t kiln_list_length(const void *list) { return References::current()->list(list)->length(); }

int64_t kiln_list_size(const void *list, int64_t dimension) {
  return References::current()->list(list)->dims[size_t(dimension)];
}

/// Returns the words of element `index`, counted from 0. Null: it is unset, or memory ends.
const uint64_t *kiln_list_item(const void *list, int64_t index) {
  References &r = *References::current();
  const HostArray &array = *r.list(list);
  const Value &element = array.values[size_t(index)];
  const WordShape *shape = r.shape_of(array);
  return element && shape ? r.words_of(*shape, element) : nullptr;
}

// ---- random numbers

uint64_t kiln_random_word(int64_t generator) {
  return References::current()->random->word(size_t(generator));
}

double kiln_random_number(int64_t generator, uint8_t draw) {
  return References::current()->random->number(size_t(generator), RandomNumbers::Draw(draw));
}

uint64_t kiln_random_below(int64_t generator, uint64_t count) {
  return References::current()->random->below(size_t(generator), count);
}

// ---- strings

void *kiln_text_part(const void *text, int64_t offset, int64_t size) {
  References *r = References::current();
  const std::string_view part = part_of(text, offset, size);
  return r && r->charge(part.size()) ? r->make(Value::string(r->shapes.types, std::string(part))) : nullptr;
}

void *kiln_integer_text(uint64_t size, bool is_negative, int64_t base, int64_t width) {
  References *r = References::current();
  if (!r || width > max_digits) return nullptr;
  std::string text = text_of_integer(size, is_negative, unsigned(base), width);
  return r->charge(text.size()) ? r->make(Value::string(r->shapes.types, std::move(text))) : nullptr;
}

int64_t kiln_texts_compare(const void *a, int64_t at_a, int64_t size_a, const void *b, int64_t at_b,
                           int64_t size_b) {
  const int order = part_of(a, at_a, size_a).compare(part_of(b, at_b, size_b));
  return order < 0 ? -1 : order > 0;
}

int64_t kiln_string_size(const void *text) { return int64_t(text_of_reference(text).size()); }

/// True for the first byte of a UTF-8 character. The others have the form 10xxxxxx.
static bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// Returns the byte at an index from 0 on, which the caller has checked.
uint8_t kiln_string_unit(const void *text, int64_t at) {
  return uint8_t(text_of_reference(text)[size_t(at)]);
}

int64_t kiln_string_length(const void *text) {
  return std::ranges::count_if(text_of_reference(text), begins_character);
}

int64_t kiln_string_last(const void *text) {
  const std::string_view whole = text_of_reference(text);
  size_t last = whole.size();
  while (last > 1 && !begins_character(whole[last - 1])) --last;
  return int64_t(last);
}

int64_t kiln_string_compare(const void *a, const void *b) { return kiln_texts_compare(a, 0, -1, b, 0, -1); }

} // extern "C"

bool same(const void *a, const void *b) {
  const References *r = References::current();
  return r && egal(r->value(a), r->value(b));
}

void *variable(uint64_t name) {
  const References *r = References::current();
  if (!r) return nullptr;
  auto found = r->variables.find(name);
  return found == r->variables.end() ? nullptr : found->second;
}

/// Returns a part of an exception. An empty Value: unknown.
static Value noted_value(const References &r, uint64_t type_key, const uint64_t *words) {
  const auto found = r.types_by_key->find(type_key);
  if (found == r.types_by_key->end()) return {};
  const TypeRef type = found->second;
  if (type == r.shapes.types.builtins().Symbol) {
    const auto symbol = words ? r.symbols_by_identity->find(*words) : r.symbols_by_identity->end();
    return symbol == r.symbols_by_identity->end() ? Value() : Value::symbol(r.shapes.types, symbol->second);
  }
  if (type->as<DataType>() && type->as<DataType>()->name().is_type)
    return Value::type_value(r.shapes.types, r.shapes.types.type_parameter(type));
  const WordShape *shape = r.shapes.find(type);
  return shape ? r.from_words(*shape, words) : Value();
}

void note(int64_t index, uint64_t type_key, const uint64_t *words) {
  References *r = References::current();
  if (!r) return;
  Value value = noted_value(*r, type_key, words);
  if (index < 0) {
    r->thrown = std::move(value);
    return;
  }
  if (index == 0) r->inner_message = std::exchange(r->message, {});
  const std::string *text = value.as_string();
  if (text && *text == References::unknown_text) // a message within this one
    r->message.insert(r->message.end(), r->inner_message.begin(), r->inner_message.end());
  else
    r->message.push_back(std::move(value));
}

} // namespace

void add_reference_symbols() {
  static const bool added = [] {
    const HostSymbol symbols[] = {
#define KILN_FUNCTION(name, function) {name, reinterpret_cast<void *>(&function)}
        KILN_FUNCTION("kiln.reference.words", kiln_words),
        KILN_FUNCTION("kiln.reference.dict_make", kiln_dict_make),
        KILN_FUNCTION("kiln.reference.dict_find", kiln_dict_find),
        KILN_FUNCTION("kiln.reference.dict_find_text", kiln_dict_find_text),
        KILN_FUNCTION("kiln.reference.dict_item", kiln_dict_item),
        KILN_FUNCTION("kiln.reference.dict_set", kiln_dict_set),
        KILN_FUNCTION("kiln.reference.dict_set_text", kiln_dict_set_text),
        KILN_FUNCTION("kiln.reference.dict_erase", kiln_dict_erase),
        KILN_FUNCTION("kiln.reference.dict_clear", kiln_dict_clear),
        KILN_FUNCTION("kiln.reference.dict_length", kiln_dict_length),
        KILN_FUNCTION("kiln.reference.dict_next", kiln_dict_next),
        KILN_FUNCTION("kiln.reference.dict_missing", kiln_dict_missing),
        KILN_FUNCTION("kiln.reference.list_length", kiln_list_length),
        KILN_FUNCTION("kiln.reference.list_size", kiln_list_size),
        KILN_FUNCTION("kiln.reference.list_item", kiln_list_item),
        KILN_FUNCTION("kiln.reference.random_word", kiln_random_word),
        KILN_FUNCTION("kiln.reference.random_number", kiln_random_number),
        KILN_FUNCTION("kiln.reference.random_below", kiln_random_below),
        KILN_FUNCTION("kiln.reference.text_part", kiln_text_part),
        KILN_FUNCTION("kiln.reference.integer_text", kiln_integer_text),
        KILN_FUNCTION("kiln.reference.texts_compare", kiln_texts_compare),
        KILN_FUNCTION("kiln.string_size", kiln_string_size),
        KILN_FUNCTION("kiln.string_length", kiln_string_length),
        KILN_FUNCTION("kiln.string_unit", kiln_string_unit),
        KILN_FUNCTION("kiln.string_last", kiln_string_last),
        KILN_FUNCTION("kiln.string_compare", kiln_string_compare),
#undef KILN_FUNCTION
    };
    add_host_symbols(symbols);
    static const ReferenceFunctions functions{same, variable, note};
    set_reference_functions(functions);
    return true;
  }();
  (void)added;
}

} // namespace kiln
