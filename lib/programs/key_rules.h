// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the keys of dictionaries and sets compare: Julia's isequal and hash.
#pragma once

#include <kiln/extension/language/interpreter.h>

#include <unordered_map>

namespace kiln {

class CompilerWorld;

/// Hashes and compares keys. Numbers, texts, tuples, pairs and arrays compare by content, in C++. A struct
/// compares by ===, unless there are methods of hash, isequal or == for it, which this class then calls. Used
/// only by the thread that runs the program.
class KeyRules {
public:
  KeyRules(Interpreter &interpreter, CompilerWorld &world);
  TypeContext &types;

  /// Equal keys have equal hashes, also those of different types.
  uint64_t hash(const Value &key);
  bool equal(const Value &a, const Value &b);
  /// The hash of a value for which `hash` has no method.
  uint64_t hash_of_content(const Value &value);
  /// True if keys of this type may need methods.
  bool calls_methods(TypeRef type);
  /// Returns the first error of a method since the last call. Until then, hash() and equal() return 0 and
  /// false.
  Result<void> take_error();
  bool has_failed() const { return !failure_.ok(); }

  static uint64_t hash_of_text(std::string_view text) {
    return combine(std::hash<std::string_view>()(text), 0);
  }
  /// The hash of `hash(x, seed)` for a value with the hash `hash`.
  static uint64_t combine(uint64_t hash, uint64_t seed);

private:
  enum class Rule : uint8_t { Content, Identity, Methods };
  struct Rules {
    WorldAge world = 0; ///< for which the rules hold
    Rule hash = Rule::Content, equality = Rule::Content;
  };
  Rules rules_of(TypeRef type);
  uint64_t content_of(const Value &value, int level);
  bool equal_contents(const Value &first, const Value &second);
  bool calls_methods(TypeRef type, int level);
  Value call(std::string_view function, std::span<const Value> args);

  Interpreter &interpreter_;
  CompilerWorld &world_;
  std::unordered_map<TypeRef, Rules> rules_; ///< of structs
  Result<void> failure_;
};

} // namespace kiln
