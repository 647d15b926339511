// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the language in compiler and interpreter. A Value is a cheap handle: a type and a payload.
// Immutable values compare by content (`egal`, Julia's ===), mutable ones by identity.
#pragma once

#include <kiln/extension/language/type.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace kiln {

class Module; // component world; opaque here
struct HostArray;
struct MutableObject;
struct ExprObject;
class HostObject;

/// The bytes of a primitive value of up to 16 bytes: little endian, zero-padded, so that equal values have
/// equal bytes.
using PrimitiveBits = std::array<uint64_t, 2>;

class Value;
/// Julia's ===.
KILN_API bool egal(const Value &a, const Value &b);

class KILN_API Value {
public:
  struct Fields; // fields of a tuple or immutable struct, shared by copies of the Value

  Value() : bits_{} {} ///< no value, as in an unset slot; type() is null
  Value(const Value &other) : type_(other.type_), kind_(other.kind_) {
    if (is_shared())
      new (&shared_) Shared(other.shared_);
    else
      bits_ = other.bits_;
  }
  Value(Value &&other) noexcept : type_(other.type_), kind_(other.kind_) {
    if (is_shared())
      new (&shared_) Shared(std::move(other.shared_));
    else
      bits_ = other.bits_;
  }
  Value &operator=(const Value &other) {
    if (this != &other) *this = Value(other);
    return *this;
  }
  Value &operator=(Value &&other) noexcept {
    if (this == &other) return *this;
    Value old(std::move(*this)); // destroyed last: its destructor may reach this object
    type_ = other.type_;
    if (is_shared()) shared_.~Shared();
    kind_ = other.kind_;
    if (is_shared())
      new (&shared_) Shared(std::move(other.shared_));
    else
      bits_ = other.bits_;
    return *this;
  }
  ~Value() {
    if (is_shared()) shared_.~Shared();
  }

  TypeRef type() const {
    return type_;
  } ///< the value's concrete type; for a type as a value: DataType, UnionAll, Union or TypeofBottom
  explicit operator bool() const { return type_ != nullptr; }

  // Functions that make values. They do not check that `type` fits the payload. For a null type or payload
  // they return an empty Value. Functions with a Result return Usage for an empty Value.
  static Value primitive(TypeRef type, PrimitiveBits bits);
  static Value singleton(TypeRef type);                            ///< zero-field struct, function, nothing
  static Value structure(TypeRef type, std::vector<Value> fields); ///< tuple, named tuple, immutable struct
  static Value mutable_structure(TypeRef type, std::vector<Value> fields);
  static Value type_value(TypeContext &types, TypeRef value);
  static Value symbol(TypeContext &types, Symbol symbol);
  static Value string(TypeContext &types, std::string text);
  static Value module(TypeContext &types, const Module *module);
  static Value array(TypeRef type, std::shared_ptr<HostArray> array);
  static Value expr(TypeContext &types, std::shared_ptr<ExprObject> expr);
  static Value object(TypeRef type, std::shared_ptr<HostObject> object);

  bool is_primitive() const { return kind_ == Kind::Primitive; }
  /// Returns the bytes of a primitive value; zeros for other values.
  const PrimitiveBits &bits() const { return is_primitive() ? bits_ : no_bits; }
  uint64_t low_bits() const { return bits()[0]; }
  /// Returns the type, if the value is a type; else null.
  TypeRef as_type() const { return kind_ == Kind::Type ? std::bit_cast<TypeRef>(bits_[0]) : nullptr; }
  /// Returns an empty symbol if the value is none.
  Symbol as_symbol() const { return kind_ == Kind::Symbol ? std::bit_cast<Symbol>(bits_[0]) : Symbol(); }
  const std::string *as_string() const { return shared<const std::string>(Kind::String); }
  const Module *as_module() const {
    return kind_ == Kind::Module ? std::bit_cast<const Module *>(bits_[0]) : nullptr;
  }
  /// Fields of an immutable struct or tuple, empty for a singleton; null for other values.
  const std::vector<Value> *fields() const {
    return kind_ == Kind::Singleton && type_ ? &no_fields()
                                             : shared<const std::vector<Value>>(Kind::Structure);
  }
  HostArray *as_array() const { return shared<HostArray>(Kind::Array); }
  MutableObject *as_mutable() const { return shared<MutableObject>(Kind::Mutable); }
  ExprObject *as_expr() const { return shared<ExprObject>(Kind::Expr); }
  std::shared_ptr<HostArray> shared_array() const;
  std::shared_ptr<const std::string> shared_string() const;
  HostObject *as_object() const { return shared<HostObject>(Kind::Object); } ///< the host object, else null
  std::shared_ptr<HostObject> shared_object() const;

  uint64_t hash() const;       ///< consistent with egal; from the content for immutable values
  bool is_last_holder() const; ///< true if destroying this Value frees other values that its payload holds
  friend bool egal(const Value &a, const Value &b);
  bool operator==(const Value &other) const { return egal(*this, other); }

private:
  enum class Kind : uint8_t {
    Singleton, ///< no payload; also of a Value without a type
    Primitive,
    Type,
    Symbol,
    Module,
    // Kinds with an object that all copies of the Value share.
    String,
    Structure,
    Array,
    Mutable,
    Expr,
    Object
  };
  using Shared = std::shared_ptr<const void>;
  Value(TypeRef type, Kind kind, PrimitiveBits bits) : type_(type), kind_(kind), bits_(bits) {}
  Value(TypeRef type, Kind kind, Shared shared) : type_(type), kind_(kind), shared_(std::move(shared)) {}
  bool is_shared() const { return kind_ >= Kind::String; }
  template <class T> T *shared(Kind kind) const {
    return kind_ == kind ? static_cast<T *>(const_cast<void *>(shared_.get())) : nullptr;
  }
  static const std::vector<Value> &no_fields();
  static constexpr PrimitiveBits no_bits{};

  TypeRef type_ = nullptr;
  Kind kind_ = Kind::Singleton;
  union {
    PrimitiveBits bits_; ///< bytes of a primitive, or a pointer in the first number
    Shared shared_;
  };
};

/// The bytes of a host array. Several arrays may share them, with other dimensions or elements (reshape), or
/// a part of them (unsafe_wrap). A copy has its own bytes. Operations that change the number of bytes end the
/// sharing for this array.
class KILN_API ArrayBytes {
public:
  ArrayBytes() = default;
  ArrayBytes(std::vector<std::byte> bytes)
      : bytes_(std::make_shared<std::vector<std::byte>>(std::move(bytes))) {}
  ArrayBytes(const ArrayBytes &other);
  ArrayBytes(ArrayBytes &&) = default;
  ~ArrayBytes() = default;
  ArrayBytes &operator=(const ArrayBytes &other); ///< copies in place if the sizes are equal
  ArrayBytes &operator=(ArrayBytes &&) = default;
  operator std::vector<std::byte>() const { return {begin(), end()}; }

  std::byte *data() { return bytes_ ? bytes_->data() + first_ : nullptr; }
  const std::byte *data() const { return bytes_ ? bytes_->data() + first_ : nullptr; }
  size_t size() const { return bytes_ ? std::min(count_, bytes_->size()) : 0; }
  bool empty() const { return size() == 0; }
  std::byte *begin() { return data(); }
  std::byte *end() { return data() + size(); }
  const std::byte *begin() const { return data(); }
  const std::byte *end() const { return data() + size(); }
  template <class I> void insert(const std::byte *at, I first, I last) {
    const auto before = at - data();
    auto &own = this->own();
    own.insert(own.begin() + before, first, last);
  }
  void erase(const std::byte *first, const std::byte *last);
  void resize(size_t count) {
    if (count != size()) own().resize(count);
  }
  ArrayBytes share() const; ///< shares the bytes instead of copying them
  /// Shares `count` bytes from byte `first` on, which must exist.
  ArrayBytes share(size_t first, size_t count) const;

private:
  std::vector<std::byte> &own();
  std::shared_ptr<std::vector<std::byte>> bytes_; ///< null: none
  size_t first_ = 0, count_ = SIZE_MAX;           ///< the part of `bytes_`; SIZE_MAX: all
};

/// A column-major host array of isbits elements (or of Values, if the element type is not isbits).
struct KILN_API HostArray {
  ~HostArray();
  TypeRef element = nullptr;
  std::vector<int64_t> dims;
  ArrayBytes bytes;          ///< elements of an isbits type, in Julia's layout
  std::vector<Value> values; ///< otherwise
  int64_t length() const;
};

struct KILN_API MutableObject {
  explicit MutableObject(std::vector<Value> of) : fields(std::move(of)) {}
  MutableObject(const MutableObject &) = default;
  MutableObject &operator=(const MutableObject &) = default;
  ~MutableObject();
  std::vector<Value> fields;
};

/// An object of the host program that a Value of the language holds: a stream, a dictionary, a buffer.
/// Compared by identity; destroyed with the last Value that holds it.
class KILN_API HostObject {
public:
  virtual ~HostObject();
  virtual std::string text() const { return {}; } ///< text for to_string; empty: "T(...)"
  /// Returns the value of `object.name`. No value: there is no such field.
  virtual Value field(TypeContext &, Symbol /*name*/) const { return {}; }
};

/// A Julia Expr (for macros and @eval): head, arguments and source place.
struct ExprObject {
  ExprObject() : array(std::make_shared<HostArray>()), args(array->values) {}
  ExprObject(const ExprObject &other)
      : head(other.head), at(other.at), array(std::make_shared<HostArray>(*other.array)),
        args(array->values) {}
  Symbol head;
  Span at;
  std::shared_ptr<HostArray> array; ///< the array `ex.args`, which code may change
  std::vector<Value> &args;         ///< elements of `array`
};

/// Convert an isbits value to its bytes in Julia's layout, and back. Errors: Internal if the type is not
/// isbits; Usage for an empty Value, a null type, null bytes, or a field that holds a value of another type.
KILN_API Result<std::vector<std::byte>> to_bytes(TypeContext &types, const Value &value);
KILN_API Result<Value> from_bytes(TypeContext &types, TypeRef type, const std::byte *bytes);

} // namespace kiln
