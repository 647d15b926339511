// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of the language. They are immutable; a TypeContext interns and owns them. Structurally equal types
// are the same pointer, where-types also if their variables have different names. Compare types by pointer.
// Unions and where-types can be equal without having the same structure; `equal_types` compares those.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/fingerprint.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/symbol.h>
#include <kiln/result.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace kiln {

class TypeContext;
class Value;
struct Layout;

enum class TypeKind : uint8_t {
  Bottom, ///< Union{}
  Data,   ///< Int64, Tuple{Int64}, Vector{T}, Any
  /// Union{A, B, ...}: at least two members, flattened and sorted; no closed member is a subtype of another.
  Union,
  UnionAll, ///< body where var
  Var,      ///< a type variable
  Vararg,   ///< Vararg{element, count}; only as the last parameter of a Tuple
  Const,    ///< a value used as a type parameter: the 2 of Array{Float32, 2}, a symbol, a tuple
};

class Type {
public:
  TypeKind kind() const { return kind_; }
  bool has_free_vars() const { return has_free_vars_; }
  uint64_t hash() const { return hash_; } ///< hash of the structure: the same in every process
  /// Returns the number of nodes of the type as a tree, at most `max_size`. The tree can be exponentially
  /// larger than the type in memory, which shares parts. Code that builds types in loops (inference,
  /// interpreter) must stop at a limit.
  uint32_t size() const { return size_; }
  static constexpr uint32_t max_size = 1u << 30;
  template <class T> const T *as() const { return kind_ == T::Kind ? static_cast<const T *>(this) : nullptr; }
  template <class T> bool is() const { return kind_ == T::Kind; }

protected:
  Type(TypeKind kind, bool has_free_vars, uint64_t hash)
      : hash_(hash), kind_(kind), has_free_vars_(has_free_vars) {}
  void add_size(const Type *part) {
    if (part) size_ = std::min(max_size, size_ + part->size_);
  }

private:
  friend class TypeContext;
  uint64_t hash_;
  uint32_t size_ = 1;
  TypeKind kind_;
  bool has_free_vars_;
};
using TypeRef = const Type *;

class BottomType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Bottom;
  const TypeContext &context() const { return context_; }

private:
  friend class TypeContext;
  explicit BottomType(const TypeContext &context)
      : Type(Kind, false, 0x9e3779b97f4a7c15ull), context_(context) {}
  const TypeContext &context_;
};

class TypeVar : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Var;
  Symbol name() const { return name_; }
  TypeRef lower() const { return lower_; }
  TypeRef upper() const { return upper_; }

private:
  friend class TypeContext;
  TypeVar(Symbol name, TypeRef lower, TypeRef upper, uint64_t hash)
      : Type(Kind, true, hash), name_(name), lower_(lower), upper_(upper) {}
  Symbol name_;
  TypeRef lower_, upper_;
};

class UnionType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Union;
  std::span<const TypeRef> members() const { return members_; }

private:
  friend class TypeContext;
  UnionType(std::vector<TypeRef> members, bool free, uint64_t hash)
      : Type(Kind, free, hash), members_(std::move(members)) {
    for (TypeRef member : members_) add_size(member);
  }
  std::vector<TypeRef> members_;
};

class UnionAllType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::UnionAll;
  const TypeVar *var() const { return var_; }
  TypeRef body() const { return body_; }

private:
  friend class TypeContext;
  UnionAllType(const TypeVar *var, TypeRef body, bool free, uint64_t hash)
      : Type(Kind, free, hash), var_(var), body_(body) {
    add_size(body);
  }
  const TypeVar *var_;
  TypeRef body_;
};

class VarargType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Vararg;
  TypeRef element() const { return element_; }
  /// Null: any number of elements; else a Const of Int64, or a type variable.
  TypeRef count() const { return count_; }

private:
  friend class TypeContext;
  VarargType(TypeRef element, TypeRef count, bool free, uint64_t hash)
      : Type(Kind, free, hash), element_(element), count_(count) {
    add_size(element);
  }
  TypeRef element_, count_;
};

/// The definition of a type, common to all its instances: `struct Point{T} <: Shape; x::T; end`.
/// TypeContext::new_type_name makes a new object for each definition.
struct TypeName {
  /// Context that made it; null: made without a context, unusable in sessions.
  const TypeContext *context = nullptr;
  Symbol name;
  /// Full module name, "Main.Inner"; a part of the hash, printed if the name is ambiguous.
  std::string module;
  std::vector<const TypeVar *> params; ///< declared type variables, which the fields below may use
  TypeRef super = nullptr;             ///< null only for Any
  std::vector<Symbol> field_names;
  std::vector<TypeRef> field_types;
  uint32_t primitive_bits = 0; ///< 8, 16, ... for primitive types, else 0
  bool is_abstract = false;
  bool is_mutable = false;
  bool is_tuple = false; ///< true for Tuple only: covariant parameters; the fields' types are the parameters
  bool is_named_tuple = false; ///< NamedTuple{names, T<:Tuple}
  bool is_type = false;        ///< Type{T}
  bool is_function = false;    ///< type of a generic function f: prints as typeof(f)
  bool fields_defined = false; ///< false after a forward declaration, until the body is defined
  bool may_inline_alloc = true;
  Symbol function_name;              ///< for is_function
  mutable TypeRef wrapper = nullptr; ///< Name where {params...}; without parameters the data type itself
};

class DataType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Data;
  const TypeName &name() const { return *name_; }
  std::span<const TypeRef> params() const { return params_; }
  bool is_tuple() const { return name_->is_tuple; }
  bool is_named_tuple() const { return name_->is_named_tuple; }
  bool is_abstract() const { return name_->is_abstract; }
  bool is_primitive() const { return name_->primitive_bits != 0; }

private:
  friend class TypeContext;
  DataType(const TypeName *name, std::vector<TypeRef> params, bool free, uint64_t hash)
      : Type(Kind, free, hash), name_(name), params_(std::move(params)) {
    for (TypeRef param : params_) add_size(param);
  }
  const TypeName *name_;
  std::vector<TypeRef> params_;
  // TypeContext computes these on first use, stores them with release order, and never replaces them.
  mutable std::atomic<TypeRef> super_{nullptr};
  mutable std::atomic<const std::vector<TypeRef> *> fields_{nullptr};
  mutable std::atomic<const Layout *> layout_{nullptr};
};

/// A value that is used as a type parameter, such as the 2 of Array{Float32, 2}.
class KILN_API ConstType : public Type {
public:
  static constexpr TypeKind Kind = TypeKind::Const;
  ~ConstType();
  const Value &value() const { return *value_; }

private:
  friend class TypeContext;
  ConstType(std::unique_ptr<const Value> value, uint64_t hash);
  std::unique_ptr<const Value> value_;
};

} // namespace kiln
