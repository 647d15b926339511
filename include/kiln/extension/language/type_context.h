// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class TypeContext, which owns and interns all types of a session and the built-in type names.
// Thread-safe: interning takes one of 16 shard locks. Returned types are immutable and live as long as the
// context.
#pragma once

#include <kiln/extension/language/type.h>
#include <kiln/extension/language/value.h>

#include <optional>
#include <span>

namespace kiln {

class Printer; ///< kiln/extension/language/print.h

/// Owns and interns the types of a session. Null types and empty values as arguments are caller errors with a
/// defined result. Functions that make a type return null, queries return false, null or empty, and functions
/// with a Result return Usage.
class KILN_API TypeContext {
public:
  TypeContext();
  ~TypeContext();
  TypeContext(const TypeContext &) = delete;
  TypeContext &operator=(const TypeContext &) = delete;

  SymbolTable &symbols() { return symbols_; }
  Symbol symbol(std::string_view text) { return symbols_.intern(text); }

  // ---- making types (all interned)
  TypeRef bottom() const { return bottom_; }
  /// Returns Name{params...}; the number of parameters must be that of the name (any number for Tuple). Free
  /// variables are allowed. Errors (Input, "TypeError"): wrong number of parameters, a parameter outside its
  /// bounds.
  Result<TypeRef> apply(TypeRef type, std::span<const TypeRef> params);
  /// Makes a data type like apply(), without checks.
  TypeRef data(const TypeName &name, std::span<const TypeRef> params);
  TypeRef tuple(std::span<const TypeRef> elements);
  TypeRef tuple(std::initializer_list<TypeRef> e) {
    return tuple(std::span<const TypeRef>(e.begin(), e.size()));
  }
  TypeRef named_tuple(std::span<const Symbol> names, std::span<const TypeRef> elements);
  /// Makes a Union: flattens and sorts the members, and drops closed members that are subtypes of others.
  TypeRef union_of(std::span<const TypeRef> members);
  TypeRef union_of(std::initializer_list<TypeRef> e) {
    return union_of(std::span<const TypeRef>(e.begin(), e.size()));
  }
  /// Returns the type `body where var`; returns `body` itself if it does not contain `var`.
  TypeRef union_all(const TypeVar *var, TypeRef body);
  TypeRef vararg(TypeRef element, TypeRef count = nullptr);
  TypeRef constant(const Value &value);
  TypeRef constant(int64_t value);
  TypeRef type_of_type(TypeRef type); ///< Type{type}
  /// Makes a new type variable, different from all others. Null bounds mean Union{} and Any.
  const TypeVar *new_var(Symbol name, TypeRef lower, TypeRef upper);
  /// Returns the variable that replaces `var` in scopes where `var` is bound already. Always the same one for
  /// `var`, so that repeated queries on nested where-types make no new types.
  const TypeVar *renamed(const TypeVar *var);
  /// Makes a new type name. The caller must set its fields, params and super before first use.
  TypeName *new_type_name(Symbol name, std::string module);
  /// Returns the newest type name with this name and module; null if there is none.
  const TypeName *find_type_name(std::string_view module, Symbol name) const;
  /// Makes the wrapper of a type name (Name where {params...}), after params and super are set.
  TypeRef finish_type_name(TypeName &name);
  /// Makes typeof(f) for a new generic function f: a singleton subtype of Function.
  TypeRef new_function_type(Symbol function, std::string module);

  // ---- looking into types
  /// Returns true if this context, not that of another session, made every name in the type. Takes time
  /// linear in the type's size.
  bool owns(TypeRef type) const;
  /// Returns `type` with each vars[i] replaced by values[i].
  TypeRef substitute(TypeRef type, std::span<const TypeVar *const> vars, std::span<const TypeRef> values);
  TypeRef super(const DataType *type);                        ///< Any's is Any
  std::span<const TypeRef> field_types(const DataType *type); ///< a tuple's are its parameters
  std::span<const Symbol> field_names(const DataType *type);  ///< field names; empty for a Tuple
  /// Returns the index of a field, from 0; -1 if there is no such field.
  int field_index(const DataType *type, Symbol name);
  size_t field_count(const DataType *type) { return field_types(type).size(); }
  /// True if values can have exactly this type: not abstract, no free variables.
  bool is_concrete(TypeRef type);
  /// Returns true for types that dispatch compares: a concrete type, or Type{T} of a closed T (Core.Typeof).
  bool is_dispatch_element(TypeRef type);
  bool is_dispatch_tuple(TypeRef type); ///< Tuple of dispatch elements
  /// True if the type has exactly one value: Nothing, typeof(f), Val{3}, Tuple{}, Type{T}.
  bool is_singleton(TypeRef type);
  /// The only value of a singleton type (for Type{T}: T); no value for other types.
  Value singleton_value(TypeRef type);
  bool is_isbits(TypeRef type);        ///< true for immutable, concrete types that contain no references
  TypeRef type_of(const Value &value); ///< type of a value for dispatch: Type{T} for the type T as a value
  /// Removes every `where`: sets `vars` to the variables and `body` to the rest.
  const UnionAllType *unwrap_all(TypeRef type, std::vector<const TypeVar *> &vars, TypeRef &body);
  /// Returns T if `type` is Type{T} of a closed T, else null.
  TypeRef type_parameter(TypeRef type);

  /// Returns the cached layout of a type; `make` computes it on first use. Null if the type has no layout.
  const Layout *cached_layout(const DataType *type, const Layout *(*make)(TypeContext &, const DataType *));

  // ---- values
  Value nothing() const;
  Value boolean(bool value) const;
  Value int64(int64_t value) const;
  Value int32(int32_t value) const;
  Value float64(double value) const;
  Value float32(float value) const;

  /// Built-in types, which literals, layouts and intrinsics need. All other types are defined in
  /// runtime/library/base.
  struct Builtins {
    TypeRef Any, Number, Real, Integer, Signed, Unsigned, AbstractFloat, Function, AbstractString,
        AbstractChar, Bool, Int8, Int16, Int32, Int64, Int128, UInt8, UInt16, UInt32, UInt64, UInt128,
        Float16, BFloat16, Float32, Float64, Char, Symbol, String, Nothing, Module, Expr, LineNumberNode,
        QuoteNode, GlobalRef, DataType, UnionAll, Union, TypeofBottom, TypeVar;
    TypeRef Type;       ///< Type where T
    TypeRef Tuple;      ///< Tuple{Vararg{Any}}
    TypeRef NamedTuple; ///< NamedTuple where {names, T<:Tuple}
    TypeRef NTuple;     ///< NTuple{N,T} where {N,T} = Tuple{Vararg{T,N}}
    TypeRef Ptr;        ///< Ptr where T: 64-bit generic or host pointer
    TypeRef LLVMPtr;    ///< LLVMPtr where {T, AS}: pointer in address space AS
    TypeRef Array;      ///< Array where {T, N}: host arrays of the interpreter; not a kernel type
    const TypeName *TupleName, *NamedTupleName, *TypeTypeName, *PtrName, *LLVMPtrName, *ArrayName,
        *VecElementName;
  };
  const Builtins &builtins() const { return builtins_; }
  /// Returns names and types of all built-in types, for binding in module Core.
  std::vector<std::pair<Symbol, TypeRef>> builtin_bindings() const;
  bool is_integer(TypeRef type) const; ///< true for Int8 to Int128, UInt8 to UInt128, and Bool
  bool is_signed(TypeRef type) const;  ///< true for Int8 to Int128
  bool is_float(TypeRef type) const;

  /// Sets the printer that messages use for types; null: Julia's notation. Call it once, before other threads
  /// use the context.
  void set_printer(std::shared_ptr<const Printer> printer) { printer_ = std::move(printer); }
  const Printer *printer() const { return printer_.get(); }

  /// Adds a type to a digest: its structure and the definitions of its structs. The same in every process.
  void digest(Fingerprinter &into, TypeRef type);
  void digest(Fingerprinter &into, const Value &value);

private:
  struct KILN_LOCAL State;
  template <class Same, class Make> TypeRef intern(uint64_t key, Same same, Make make);
  TypeRef intern_data(const TypeName &name, std::span<const TypeRef> params);
  void make_builtins();
  SymbolTable symbols_;
  Builtins builtins_{};
  TypeRef bottom_ = nullptr;
  std::shared_ptr<const Printer> printer_;
  std::unique_ptr<State> state_;
};

} // namespace kiln
