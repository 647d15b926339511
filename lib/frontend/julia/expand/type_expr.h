// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates expressions in signatures, type definitions and aliases directly on syntax.
#pragma once

#include "shared.h"

namespace kiln::julia {

/// Names and types (null: Any) of @NamedTuple{a::Int, b} or its begin ... end form.
std::optional<std::vector<std::pair<Symbol, const Syntax *>>> named_tuple_fields(const Syntax &node);

/// Evaluator of type expressions. A value that is not a type becomes a Const type. Where-variables in scope
/// are type variables.
class TypeEvaluator {
public:
  TypeEvaluator(std::shared_ptr<Shared> shared, const Module &module)
      : shared_(std::move(shared)), module_(&module) {}

  /// Quick mode evaluates only expressions that need no code to run; others are errors.
  void set_quick(bool quick) { quick_ = quick; }
  /// Binds `name` to `type`. Later bindings hide earlier ones.
  void bind(Symbol name, TypeRef type) { names_.emplace_back(name, type); }
  size_t depth() const { return names_.size(); }
  void restore(size_t depth) { names_.resize(depth); }

  Result<TypeRef> evaluate(const Syntax &node);
  Result<TypeRef> type(const Syntax &node); ///< like evaluate; error if the result is not a type
  Result<Value> value(
      const Syntax &node); ///< like evaluate, also for type values; error if free variables remain
  Result<Module *> module(const Syntax &node); ///< A.B.C
  /// Declares the variable of `T`, `T <: U`, `L <: T <: U` or `T >: L`, without binding it.
  Result<const TypeVar *> variable(const Syntax &node);

  /// base{params...}, including Union, Tuple, Vararg and partial application.
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

/// Module in which a macro call's name is looked up: the one before it (M.@macro), or the module of the call.
const Module &macro_module(const std::shared_ptr<Shared> &shared, const Syntax &node, const Module &module);

/// Argument types of a call written with types (T, x::T, ::T), or with values that stand for their types.
Result<std::vector<TypeRef>> argument_types(const Shared &shared, TypeEvaluator &evaluator,
                                            std::span<Syntax *const> arguments);

} // namespace kiln::julia
