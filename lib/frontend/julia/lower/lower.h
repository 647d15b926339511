// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lower (layer 6): a function's syntax to lowered code. A definition is expanded and analysed once
// (Body). Its functions, the method itself and its closures, are lowered on demand.
//   body             from a definition to its expanded and analysed body
//   scope            variables that names refer to; captures of closures
//   lowerer          one function: values, calls, assignments, control flow
//   closure          closure conversion
#pragma once

#include "scope.h"

namespace kiln::julia {

/// A method definition, before its body is analysed.
struct MethodSource {
  std::shared_ptr<Shared> shared;
  const Module *module = nullptr;
  Symbol name;
  SignatureSyntax signature;
  const Syntax *body = nullptr;
  std::vector<std::pair<Symbol, const TypeVar *>> statics; ///< variables of the evaluated signature, in order
  TypeRef constructed = nullptr; ///< type that `new` makes; null outside inner constructors
  MethodHints hints;
  TypeRef evaluated = nullptr; ///< evaluated signature
  std::shared_ptr<Unit> unit;  ///< owns the syntax
};

/// An expanded and analysed definition.
struct Body {
  MethodSource source;
  SyntaxArena arena;
  std::optional<ScopeAnalysis> scopes;
  FunctionScope *root = nullptr;
};

Result<std::shared_ptr<Body>> analyse(MethodSource source, bool is_top_level = false);
/// True if the body may contain functions, which must be defined together with it.
bool may_hold_closures(const Syntax &body);
/// Makes the closure types of a body and defines their methods. A failure is a fault only if it is reached.
void define_closures(const std::shared_ptr<Body> &body);
Result<CodeInfo> lower_function(Body &body, FunctionScope &function);

/// Lowers an expression as a function without arguments.
Result<CodeInfo> lower_expression(const std::shared_ptr<Shared> &shared, const Module &module,
                                  const Syntax &node, std::shared_ptr<Unit> unit = nullptr);

/// Wraps `tuple` in those variables that occur in it, outermost first, and removes the others from `vars`.
TypeRef close_signature(TypeContext &types, TypeRef tuple,
                        std::vector<std::pair<Symbol, const TypeVar *>> &vars);

} // namespace kiln::julia
