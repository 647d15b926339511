// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component lower (layer 6): lowers the syntax of a function. A definition is expanded and analysed once
// (Body). Its functions, which are the method itself and its closures, are lowered on demand.
//   body             expands and analyses a definition
//   scope            finds the variable of each name, and the captures of closures
//   lowerer          lowers one function: values, calls, assignments, control flow
//   closure          closure conversion
#pragma once

#include "scope.h"

namespace kiln::julia {

/// A method definition whose body was not analysed yet.
struct MethodSource {
  std::shared_ptr<Shared> shared;
  const Module *module = nullptr;
  Symbol name;
  SignatureSyntax signature;
  const Syntax *body = nullptr;
  /// Type variables of the evaluated signature, in order.
  std::vector<std::pair<Symbol, const TypeVar *>> statics;
  TypeRef constructed = nullptr; ///< in an inner constructor, the type that `new` makes; else null
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
/// True if the body may contain functions. These must be defined together with the method.
bool may_hold_closures(const Syntax &body);
/// Makes the types of a body's closures, and defines their methods. A closure that cannot be made is an error
/// only if the code reaches it.
void define_closures(const std::shared_ptr<Body> &body);
Result<CodeInfo> lower_function(Body &body, FunctionScope &function);

/// Lowers an expression like the body of a function without arguments.
Result<CodeInfo> lower_expression(const std::shared_ptr<Shared> &shared, const Module &module,
                                  const Syntax &node, std::shared_ptr<Unit> unit = nullptr);

/// Makes the UnionAll type of `tuple` over those variables that occur in it, outermost first. Removes the
/// other variables from `vars`.
TypeRef close_signature(TypeContext &types, TypeRef tuple,
                        std::vector<std::pair<Symbol, const TypeVar *>> &vars);

} // namespace kiln::julia
