// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's types as bytes for other processes. Names stand for definitions, which the reader's World must
// have under the same name. A definition outside the library is written with a digest, which must match
// there.
#pragma once

#include <support/bytes.h>

#include <infer/infer.h>

#include <map>

namespace kiln {

class TypeWriter {
public:
  TypeWriter(CompilerWorld &world, WorldAge age, ByteWriter &out)
      : world_(world), types_(world.types()), age_(age), out_(out) {}
  void add(TypeRef type);
  /// True after an object that other processes cannot understand, such as an unnamed type.
  bool failed() const { return failed_; }

private:
  void add_name(const TypeName &name);
  void add_value(const Value &value);
  CompilerWorld &world_;
  TypeContext &types_;
  WorldAge age_;
  ByteWriter &out_;
  std::unordered_map<TypeRef, uint32_t> known_; ///< closed types, by order of writing
  std::unordered_map<const TypeName *, uint32_t> names_;
  std::vector<const TypeVar *> bound_;
  bool failed_ = false;
};

class TypeReader {
public:
  TypeReader(CompilerWorld &world, WorldAge age, ByteReader &in)
      : world_(world), types_(world.types()), age_(age), in_(in) {}
  /// Null: this process lacks the type, or the bytes are invalid.
  TypeRef type();
  /// True if the last type contains a closure's type that this process lacks. Types of the library's closures
  /// are missing until their functions are lowered. `Function` replaces such a type. No method of this
  /// process can name the type, so the replacement suffices for finding added methods that could apply.
  bool has_absent() const { return absent_; }
  /// The first definition that is missing or has changed. Empty: none.
  const std::string &lost() const { return lost_; }

private:
  TypeRef read();
  const TypeName *name();
  Value value();
  CompilerWorld &world_;
  TypeContext &types_;
  WorldAge age_;
  ByteReader &in_;
  std::vector<TypeRef> known_;
  std::vector<bool> known_absent_;      ///< has_absent of each type
  std::vector<const TypeName *> names_; ///< null: the type of an absent closure
  std::vector<const TypeVar *> bound_;
  std::string lost_;
  int depth_ = 0;
  bool absent_ = false;
};

/// Finds a definition by module and name. Null: missing. `is_library`: the definition needs no digest.
const TypeName *find_type_name(CompilerWorld &world, std::string_view module, Symbol name, WorldAge age,
                               bool &is_library);

} // namespace kiln
