// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A join rule gives the type of a variable at which values of different types meet: after a branch whose arms
// assign different types, or in a loop that starts with an integer and adds floats. Without a rule the type
// is a Union, as in Julia. With one, inference asks it for the type. A function of the language converts each
// value of another type on its way to the variable.
#pragma once

#include <kiln/extension/language/type_context.h>
#include <kiln/extension/language/value.h>

#include <functional>
#include <memory>
#include <string>

namespace kiln {

/// Belongs to methods: MethodHints::join. One object serves all methods of a language; it lives as long as
/// they do, and must not change. Compiled code alone is joined: in what Kiln evaluates (top level, run_body)
/// each value keeps its own type.
struct JoinRule {
  /// In messages and in cache keys, as the version is: a rule that answers otherwise needs another version.
  std::string name, version;

  /// The type of a variable where values of types `a` and `b` meet; null: their Union, as without a rule. The
  /// two differ. It is called by any thread that infers, several at once, and its answer may depend on
  /// nothing but the two types.
  ///
  /// It has to be a join: join(a, b) is join(b, a), and what it gives stays when it meets `a` or `b` again.
  /// Inference tests that, and that a variable's type does not change without end: else the compile fails
  /// with a TypeError that names the rule.
  std::function<TypeRef(TypeContext &, TypeRef a, TypeRef b)> join;

  /// Function that is called as convert(T, x) if a value does not have its variable's type T. Its methods are
  /// chosen as those of any call. Its result must have type T.
  Value convert;
};

} // namespace kiln
