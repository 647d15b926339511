// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of a session as bytes that another process understands: names stand for definitions, which its World
// has to have under the same name. A definition that is not the library's is written with a digest, which
// must be the same there.
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
  /// Something that another process cannot be told of: an object, a type without a name.
  bool failed() const { return failed_; }

private:
  void add_name(const TypeName &name);
  void add_value(const Value &value);
  CompilerWorld &world_;
  TypeContext &types_;
  WorldAge age_;
  ByteWriter &out_;
  std::unordered_map<TypeRef, uint32_t> known_; ///< closed types, by their turn
  std::unordered_map<const TypeName *, uint32_t> names_;
  std::vector<const TypeVar *> bound_;
  bool failed_ = false;
};

class TypeReader {
public:
  TypeReader(CompilerWorld &world, WorldAge age, ByteReader &in)
      : world_(world), types_(world.types()), age_(age), in_(in) {}
  /// Null: this process has no such type, or the bytes are no type's.
  TypeRef type();
  /// Whether the type that was read last has a closure's in it that is not there, as those of the library's
  /// functions are until they are lowered. `Function` stands for it. No method of this process can name it,
  /// so it does for asking whether one that was added could be meant.
  bool has_absent() const { return absent_; }
  /// The definition that is not there, or is another one now; empty: none was met.
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
  std::vector<bool> known_absent_;      ///< has_absent of each
  std::vector<const TypeName *> names_; ///< null: an absent closure's
  std::vector<const TypeVar *> bound_;
  std::string lost_;
  int depth_ = 0;
  bool absent_ = false;
};

/// The definition that a name stands for, by module and name; null if there is none. `is_library`: it needs
/// no digest.
const TypeName *find_type_name(CompilerWorld &world, std::string_view module, Symbol name, WorldAge age,
                               bool &is_library);

} // namespace kiln
