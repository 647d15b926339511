// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lower (layer 6): a function's syntax to lowered code. A definition is expanded and analysed once
// (Body); each of its functions, the method itself and the closures in it, is then lowered when it is first
// needed.
//   body             from a definition to its expanded and analysed body
//   scope            which variable a name means; what closures capture
//   lowerer          one function: values, calls, assignments, control flow
//   closure          closure conversion
#pragma once

#include "scope.h"

namespace kiln::julia {

/// A method as it was defined, before its body was looked at.
struct MethodSource {
  std::shared_ptr<Shared> shared;
  const Module *module = nullptr;
  Symbol name;
  SignatureSyntax signature;
  const Syntax *body = nullptr;
  std::vector<std::pair<Symbol, const TypeVar *>> statics; ///< variables of the evaluated signature, in order
  TypeRef constructed = nullptr; ///< the type that `new` makes; null outside inner constructors
  MethodHints hints;
  TypeRef evaluated = nullptr; ///< the signature
  std::shared_ptr<Unit> unit;  ///< keeps the syntax alive
};

/// A definition, expanded and analysed.
struct Body {
  MethodSource source;
  SyntaxArena arena;
  std::optional<ScopeAnalysis> scopes;
  FunctionScope *root = nullptr;
};

Result<std::shared_ptr<Body>> analyse(MethodSource source, bool is_top_level = false);
/// True if the body may hold functions of its own, which must be defined together with it.
bool may_hold_closures(const Syntax &body);
/// Makes the closure types of a body and defines their methods. What fails is a fault where it is reached.
void define_closures(const std::shared_ptr<Body> &body);
Result<CodeInfo> lower_function(Body &body, FunctionScope &function);

/// An expression as a function without arguments.
Result<CodeInfo> lower_expression(const std::shared_ptr<Shared> &shared, const Module &module,
                                  const Syntax &node, std::shared_ptr<Unit> unit = nullptr);

/// Wraps `tuple` in the variables that occur in it, outermost first, and leaves only those in `vars`.
TypeRef close_signature(TypeContext &types, TypeRef tuple,
                        std::vector<std::pair<Symbol, const TypeVar *>> &vars);

} // namespace kiln::julia
