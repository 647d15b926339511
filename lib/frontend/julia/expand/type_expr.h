// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates expressions in signatures, type definitions and aliases on syntax, without lowering them.
#pragma once

#include "shared.h"

namespace kiln::julia {

/// Returns names and types of @NamedTuple{a::Int, b}, or of its begin ... end form. Null type: Any.
std::optional<std::vector<std::pair<Symbol, const Syntax *>>> named_tuple_fields(const Syntax &node);

/// Evaluates type expressions. A value that is not a type becomes a Const type. Bound where-variables become
/// type variables.
class TypeEvaluator {
public:
  TypeEvaluator(std::shared_ptr<Shared> shared, const Module &module)
      : shared_(std::move(shared)), module_(&module) {}

  /// In quick mode, an expression that needs code to run is an error, and errors have no hints.
  void set_quick(bool quick) { quick_ = quick; }
  /// Binds `name` to `type` in the expressions evaluated later. A later binding hides an earlier one.
  void bind(Symbol name, TypeRef type) { names_.emplace_back(name, type); }
  size_t depth() const { return names_.size(); }
  void restore(size_t depth) { names_.resize(depth); }

  Result<TypeRef> evaluate(const Syntax &node);
  Result<TypeRef> type(const Syntax &node); ///< as evaluate(), but a result that is not a type is an error
  Result<Value> value(
      const Syntax &node); ///< as evaluate(), but returns a value; a free type variable is an error
  Result<Module *> module(const Syntax &node); ///< A.B.C
  /// Makes the type variable of `T`, `T <: U`, `L <: T <: U` or `T >: L`, without binding its name.
  Result<const TypeVar *> variable(const Syntax &node);

  /// Returns the type base{params...}. `base` may be Union, Tuple or Vararg; fewer parameters than it has
  /// give a UnionAll type.
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

/// Returns the module in which the name of a macro call is looked up: M in M.@macro, otherwise `module`.
const Module &macro_module(const std::shared_ptr<Shared> &shared, const Syntax &node, const Module &module);

/// Returns the argument types of a call. Each argument is a type (T, x::T, ::T), or a value that stands for
/// its type.
Result<std::vector<TypeRef>> argument_types(const Shared &shared, TypeEvaluator &evaluator,
                                            std::span<Syntax *const> arguments);

} // namespace kiln::julia
