// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TypeContext owns and interns all types of a session, and the built-in type names. Thread-safe: interning
// takes one of 16 shard locks; returned types are immutable and live as long as the context.
#pragma once

#include <kiln/extension/language/type.h>
#include <kiln/extension/language/value.h>

#include <optional>
#include <span>

namespace kiln {

class Printer; ///< kiln/extension/language/print.h

/// A null type or an empty value as an argument is a mistake of the caller. Functions that make a type return
/// null, queries find nothing (false, null, empty), and functions with a Result refuse it (Usage).
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
  /// Name{params...}: as many as the name has (any number for Tuple). Free variables are allowed.
  /// Errors (Input, "TypeError"): wrong number of parameters, a parameter outside its bounds.
  Result<TypeRef> apply(TypeRef type, std::span<const TypeRef> params);
  TypeRef data(const TypeName &name, std::span<const TypeRef> params); ///< unchecked form of apply
  TypeRef tuple(std::span<const TypeRef> elements);
  TypeRef tuple(std::initializer_list<TypeRef> e) {
    return tuple(std::span<const TypeRef>(e.begin(), e.size()));
  }
  TypeRef named_tuple(std::span<const Symbol> names, std::span<const TypeRef> elements);
  /// flattens, simplifies by subtyping where closed, sorts
  TypeRef union_of(std::span<const TypeRef> members);
  TypeRef union_of(std::initializer_list<TypeRef> e) {
    return union_of(std::span<const TypeRef>(e.begin(), e.size()));
  }
  TypeRef union_all(const TypeVar *var, TypeRef body); ///< body itself if var does not occur in it
  TypeRef vararg(TypeRef element, TypeRef count = nullptr);
  TypeRef constant(const Value &value);
  TypeRef constant(int64_t value);
  TypeRef type_of_type(TypeRef type); ///< Type{type}
  /// A fresh variable: never equal to another one. Null bounds are Union{} and Any.
  const TypeVar *new_var(Symbol name, TypeRef lower, TypeRef upper);
  /// The variable that replaces `var` where `var` is already bound. Each variable has one replacement, so
  /// that repeated queries of nested where-types make no new types.
  const TypeVar *renamed(const TypeVar *var);
  /// A fresh type name; its fields, params and super are the caller's to fill before first use.
  TypeName *new_type_name(Symbol name, std::string module);
  /// The last one that was made of this name in this module; null if there is none.
  const TypeName *find_type_name(std::string_view module, Symbol name) const;
  /// Makes the name's wrapper (Name where {params...}) once its params and super are set.
  TypeRef finish_type_name(TypeName &name);
  /// typeof(f) for a new generic function: a singleton type <: Function.
  TypeRef new_function_type(Symbol function, std::string module);

  // ---- looking into types
  /// Returns true if this session made every name in the type. Takes time in proportion to the type's size.
  bool owns(TypeRef type) const;
  /// `type` with each vars[i] replaced by values[i].
  TypeRef substitute(TypeRef type, std::span<const TypeVar *const> vars, std::span<const TypeRef> values);
  TypeRef super(const DataType *type);                        ///< Any's is Any
  std::span<const TypeRef> field_types(const DataType *type); ///< a tuple's are its parameters
  std::span<const Symbol> field_names(const DataType *type);  ///< empty for a Tuple; a NamedTuple's names
  /// Index of a field (0-based), or -1.
  int field_index(const DataType *type, Symbol name);
  size_t field_count(const DataType *type) { return field_types(type).size(); }
  bool is_concrete(TypeRef type); ///< has instances of exactly this type: no abstract type, no free variable
  /// True for a concrete type, and for Type{T} of a closed T: the elements of a dispatch signature
  /// (Core.Typeof).
  bool is_dispatch_element(TypeRef type);
  bool is_dispatch_tuple(TypeRef type); ///< Tuple of dispatch elements
  bool is_singleton(TypeRef type);     ///< exactly one instance: nothing, typeof(f), Val{3}, Tuple{}, Type{T}
  Value singleton_value(TypeRef type); ///< the single instance (for Type{T}: T); no value: no singleton
  bool is_isbits(TypeRef type);        ///< immutable, concrete, made of bits all the way down
  TypeRef type_of(const Value &value); ///< as dispatch sees it: Type{T} for type values
  const UnionAllType *unwrap_all(TypeRef type, std::vector<const TypeVar *> &vars,
                                 TypeRef &body); ///< strips all wheres
  /// T, if `type` is Type{T} of a closed T; else null.
  TypeRef type_parameter(TypeRef type);

  /// The layout that `make` computes for a type, kept with the type; null if it has none.
  const Layout *cached_layout(const DataType *type, const Layout *(*make)(TypeContext &, const DataType *));

  // ---- values
  Value nothing() const;
  Value boolean(bool value) const;
  Value int64(int64_t value) const;
  Value int32(int32_t value) const;
  Value float64(double value) const;
  Value float32(float value) const;

  /// Built-in types: made here because literals, layouts and intrinsics need them. Everything else
  /// is defined in runtime/library/base.
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
  /// Names and types of all built-ins, for binding in module Core.
  std::vector<std::pair<Symbol, TypeRef>> builtin_bindings() const;
  bool is_integer(TypeRef type) const; ///< one of the Int/UInt primitives or Bool
  bool is_signed(TypeRef type) const;  ///< one of the Int primitives
  bool is_float(TypeRef type) const;

  /// Sets the spelling of types in messages; null: Julia's. Call it once, before other threads use the
  /// context.
  void set_printer(std::shared_ptr<const Printer> printer) { printer_ = std::move(printer); }
  const Printer *printer() const { return printer_.get(); }

  /// A digest of a type's structure and of the definitions of the structs in it, the same in every process.
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
