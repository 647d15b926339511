// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of compiled code to strings, dictionaries and lists of the host. A reference is the address of a
// Value. Compiled code passes references to the functions of references.cpp, and never reads through one.
#pragma once

#include "dict_table.h"
#include "random_numbers.h"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>

namespace kiln {

/// How compiled code represents a type in words: a number is one word, a reference is one, and a struct has
/// those of its fields.
struct WordShape {
  static constexpr size_t max_words = 64;
  enum class Kind : uint8_t { Empty, Number, Reference, Struct };
  Kind kind = Kind::Empty;
  uint8_t bytes = 0; ///< of a number
  uint8_t words = 0;
  TypeRef type = nullptr;
  std::vector<const WordShape *> fields;
};

/// Shapes of types. Used only by the thread that runs the program.
class WordShapes {
public:
  WordShapes(Interpreter &interpreter, KeyRules &keys);
  /// Null: values of this type cannot pass between compiled code and the containers of the host.
  const WordShape *find(TypeRef type);
  /// True for the type of strings, dictionaries, and arrays of other elements than bits.
  bool is_reference(TypeRef type) const;
  bool is_dict(TypeRef type) const;
  TypeContext &types;
  KeyRules &keys;

private:
  const WordShape *make(TypeRef type, int depth);
  const TypeName *dict_ = nullptr, *id_dict_ = nullptr;
  std::unordered_map<TypeRef, std::unique_ptr<WordShape>> shapes_; ///< null: none
};

/// References of one call of compiled code. Unreachable ones are freed during the call, the others at its
/// end.
class References {
public:
  /// `result`: buffer for the call's result. `max_bytes`: limit of the process's memory.
  References(WordShapes &shapes, uint64_t max_bytes, std::span<const std::byte> result);
  ~References();
  References(const References &) = delete;
  References &operator=(const References &) = delete;
  /// The running call's references on this thread. Null: none.
  static References *current();
  /// False: the process has no addresses left for references, or another call of this thread has them.
  bool is_usable() const { return is_usable_; }

  /// Returns a reference to a value. Null: out of memory.
  void *make(Value value);
  /// Returns the value of a reference. A constant string of compiled code is the address of its bytes.
  Value value(const void *reference) const;
  std::string_view text(const void *reference) const;
  Dict *dict(const void *reference) const;
  HostArray *list(const void *reference) const;
  /// Keeps all references made so far until the end of the call.
  void pin() { pinned_ = top_; }

  /// Writes the words of a value. Returns false if memory ends.
  bool to_words(const WordShape &shape, const Value &value, uint64_t *&out);
  Value from_words(const WordShape &shape, const uint64_t *&words) const;
  /// Returns the words of a value until the next call. Null: out of memory.
  const uint64_t *words_of(const WordShape &shape, const Value &value);
  uint64_t *words(size_t which) { return words_[which].data(); }
  /// Shapes of a dictionary's keys and values.
  std::pair<const WordShape *, const WordShape *> shapes_of(const void *dict);
  const WordShape *shape_of(const HostArray &list); ///< of an array's elements
  /// Counts new bytes of the host. Returns false if memory ends.
  bool charge(uint64_t bytes);

  WordShapes &shapes;
  std::unordered_map<uint64_t, void *> variables; ///< references to variables by the identity of their names
  const std::unordered_map<uint64_t, TypeRef> *types_by_key = nullptr;
  const std::unordered_map<uint64_t, Symbol> *symbols_by_identity = nullptr;
  RandomNumbers *random = nullptr;
  // values of the last exception
  Value missing_key, thrown;
  std::vector<Value> message; ///< parts of its text; an unknown part is empty
  std::vector<Value> inner_message;
  /// Stands for the text of a message in compiled code (Intrinsic::message_text).
  static constexpr std::string_view unknown_text = "(its text has values of the run in it)";

private:
  void collect();
  void mark(const uintptr_t *to);
  size_t index_of(const void *reference) const;

  Value *const values_; ///< memory of the thread's references
  const char *stack_begin_;
  std::span<const std::byte> result_;
  uint64_t max_bytes_, bytes_ = 0, next_bytes_;
  size_t top_ = 0, pinned_ = 0, next_count_;
  std::vector<uint32_t> free_;
  std::vector<bool> marked_;
  std::array<std::array<uint64_t, WordShape::max_words>, 2> words_{};
  const std::string *last_text_ = nullptr; ///< string of `last_reference_`
  void *last_reference_ = nullptr;
  TypeRef last_dict_ = nullptr, last_element_ = nullptr; ///< types whose shapes were looked up last
  std::pair<const WordShape *, const WordShape *> last_shapes_{};
  const WordShape *last_element_shape_ = nullptr;
  bool is_usable_ = false;
};

/// Adds the functions that compiled code calls (reference_calls.cpp) to the symbols of host code.
void add_reference_symbols();

} // namespace kiln
