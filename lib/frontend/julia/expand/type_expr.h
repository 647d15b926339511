// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the expressions of signatures, type definitions and aliases directly on syntax.
#pragma once

#include "shared.h"

namespace kiln::julia {

/// The names and types (null: Any) of @NamedTuple{a::Int, b} and of its form with begin ... end.
std::optional<std::vector<std::pair<Symbol, const Syntax *>>> named_tuple_fields(const Syntax &node);

/// Results are types; a value that is no type is a Const type. Where-variables in scope are type variables.
class TypeEvaluator {
public:
  TypeEvaluator(std::shared_ptr<Shared> shared, const Module &module)
      : shared_(std::move(shared)), module_(&module) {}

  /// Quick: only what needs no code to run; an Error else.
  void set_quick(bool quick) { quick_ = quick; }
  /// `name` means `type` from here on (an inner one hides an outer one).
  void bind(Symbol name, TypeRef type) { names_.emplace_back(name, type); }
  size_t depth() const { return names_.size(); }
  void restore(size_t depth) { names_.resize(depth); }

  Result<TypeRef> evaluate(const Syntax &node);
  Result<TypeRef> type(const Syntax &node); ///< as evaluate; an error if it is no type
  Result<Value> value(
      const Syntax &node); ///< as evaluate; type values too; an error if it has free variables
  Result<Module *> module(const Syntax &node); ///< A.B.C
  /// The variable that `T`, `T <: U`, `L <: T <: U` or `T >: L` declares; not bound yet.
  Result<const TypeVar *> variable(const Syntax &node);

  /// base{params...}, with Union, Tuple, Vararg and fewer parameters than the type has.
  Result<TypeRef> apply(TypeRef base, std::span<const TypeRef> params, Span at);

private:
  Result<TypeRef> identifier(const Syntax &node);
  Result<TypeRef> dot(const Syntax &node);
  Result<TypeRef> curly(const Syntax &node);
  Result<TypeRef> named_tuple(std::span<const std::pair<Symbol, const Syntax *>> fields, Span at);
  Result<TypeRef> call(const Syntax &node);
  Result<TypeRef> where(const Syntax &node);
  Result<TypeRef> with_interpreter(const Syntax &node);
  TypeRef from_value(const Value &value);

  std::shared_ptr<Shared> shared_;
  const Module *module_;
  std::vector<std::pair<Symbol, TypeRef>> names_;
  bool quick_ = false;
};

/// Where a macro call's name is looked up: the module before it (M.@macro), or the one that the call is in.
const Module &macro_module(const std::shared_ptr<Shared> &shared, const Syntax &node, const Module &module);

/// The types of a call's arguments that are written as types (T, x::T, ::T) or as values that stand for their
/// own.
Result<std::vector<TypeRef>> argument_types(const Shared &shared, TypeEvaluator &evaluator,
                                            std::span<Syntax *const> arguments);

} // namespace kiln::julia
