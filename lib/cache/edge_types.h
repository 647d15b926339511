// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes a session's types for other processes. A definition is written as its module and name, and the
// reader's World must have a definition of that name. A definition outside the library also has a digest,
// which must match the reader's.
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
  /// True if a type contained an object that has no meaning in other processes, such as an unnamed type.
  bool failed() const { return failed_; }

private:
  void add_name(const TypeName &name);
  void add_value(const Value &value);
  CompilerWorld &world_;
  TypeContext &types_;
  WorldAge age_;
  ByteWriter &out_;
  std::unordered_map<TypeRef, uint32_t> known_; ///< index of each closed type, in order of writing
  std::unordered_map<const TypeName *, uint32_t> names_;
  std::vector<const TypeVar *> bound_;
  bool failed_ = false;
};

class TypeReader {
public:
  TypeReader(CompilerWorld &world, WorldAge age, ByteReader &in)
      : world_(world), types_(world.types()), age_(age), in_(in) {}
  /// Reads the next type. Null: this process lacks a definition that the type needs, or the bytes are
  /// invalid.
  TypeRef type();
  /// True if the last type read contains a closure type that this process lacks. The library's closure types
  /// are missing until the functions around them are lowered. `Function` replaces such a type. No method of
  /// this process can name the missing type, so the replacement suffices to find the user's methods that
  /// could apply.
  bool has_absent() const { return absent_; }
  /// Name of the first definition that is missing or has changed. Empty: all definitions match.
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
  std::vector<const TypeName *> names_; ///< null: a closure type that this process lacks
  std::vector<const TypeVar *> bound_;
  std::string lost_;
  int depth_ = 0;
  bool absent_ = false;
};

/// Finds a type's definition by module and name. Null: missing. Sets `is_library` to true for definitions of
/// the library, which need no digest.
const TypeName *find_type_name(CompilerWorld &world, std::string_view module, Symbol name, WorldAge age,
                               bool &is_library);

} // namespace kiln
