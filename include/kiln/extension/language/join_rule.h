// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Join rules: give a variable one type where values of different types reach it, for example in a loop that
// starts with an integer and adds floats. Without a rule the variable's type is a Union, as in Julia. With a
// rule, inference gets the type from it, and a function of the language converts values of other types at
// their assignment.
#pragma once

#include <kiln/extension/language/type_context.h>
#include <kiln/extension/language/value.h>

#include <functional>
#include <memory>
#include <string>

namespace kiln {

/// A join rule, for methods with MethodHints::join. One object may serve all methods of a language; they
/// share its ownership. It must not change. It applies to compiled code only: in evaluated code (top level,
/// run_body) each value keeps its type.
struct JoinRule {
  /// Name and version, in messages and cache keys. Change the version when the rule's results change.
  std::string name, version;

  /// Returns the type of a variable that gets values of the different types `a` and `b`; null: their Union,
  /// as without a rule. Threads that run inference call it, several at once. Its result must depend on the
  /// two types only.
  ///
  /// It must be symmetric, join(a, b) == join(b, a), and joining the result with `a` or `b` must give the
  /// result again. Inference tests this, and limits how often a variable's type changes. A violation fails
  /// the compile with a TypeError that names the rule.
  std::function<TypeRef(TypeContext &, TypeRef a, TypeRef b)> join;

  /// Function that converts values: convert(T, x) for a value x that does not have its variable's type T.
  /// Normal dispatch selects its method. Its result must have type T.
  Value convert;
};

} // namespace kiln
