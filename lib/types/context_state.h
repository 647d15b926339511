// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// State of a TypeContext: the intern tables, 16 shards by hash, and the memo of supertypes, fields and
// layouts.
#pragma once

#include <kiln/extension/language/layout.h>
#include <kiln/extension/language/type_context.h>

#include <deque>
#include <mutex>
#include <unordered_map>

namespace kiln {

/// Cached digests of types (digest.cpp).
struct WrittenTypes {
  struct Written {
    Fingerprint digest; ///< digest of the type, with names in place of definitions
    std::shared_ptr<const std::vector<const TypeName *>> names; ///< in order of appearance
  };
  std::mutex mutex;
  std::unordered_map<TypeRef, Written> types;     ///< of large types; references stay valid
  std::unordered_map<TypeRef, Fingerprint> whole; ///< with definitions, all of them complete
};

struct TypeContext::State {
  static constexpr size_t shard_count = 16;
  struct Shard {
    std::mutex mutex;
    std::unordered_multimap<uint64_t, TypeRef> types;
  };
  Shard shards[shard_count];

  std::mutex owned_mutex; // protects the owners below
  std::vector<std::unique_ptr<const Type, void (*)(const Type *)>> types;
  std::deque<TypeName> names;
  std::unordered_map<Symbol, std::vector<TypeName *>> types_named; ///< `names` by name, oldest first
  std::vector<std::unique_ptr<const std::vector<TypeRef>>> field_lists;
  std::vector<std::unique_ptr<const std::vector<Symbol>>> symbol_lists;
  std::unordered_map<const DataType *, const std::vector<Symbol> *> named_tuple_names;
  std::vector<std::unique_ptr<const Layout>> layouts;
  uint64_t next_var = 1;
  std::mutex renamed_mutex;
  std::unordered_map<const TypeVar *, const TypeVar *> renamed; ///< see TypeContext::renamed
  std::vector<std::pair<Symbol, TypeRef>> bindings;

  WrittenTypes written;

  template <class T> const T *own(T *type) {
    std::lock_guard lock(owned_mutex);
    types.emplace_back(type, [](const Type *t) { delete static_cast<const T *>(t); });
    return type;
  }
};

inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t h = a * 0x9e3779b97f4a7c15ull + b;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ull;
  return h ^ (h >> 29);
}
inline uint64_t hash_text(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325ull; // FNV-1a: equal in every process
  for (unsigned char c : text) h = (h ^ c) * 0x100000001b3ull;
  return h;
}

} // namespace kiln
