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

/// Belongs to methods: MethodHints::join. One object serves all methods of a language; it must live as long
/// as they do, and must not change. Only compiled code uses it: in evaluated code (top level, run_body) each
/// value keeps its own type.
struct JoinRule {
  /// In messages and in cache keys, as the version is: a rule that answers otherwise needs another version.
  std::string name, version;

  /// Returns the type of a variable where values of the different types `a` and `b` meet; null: their Union,
  /// as without a rule. Any inferring thread calls it, several at once. Its answer may depend only on the two
  /// types.
  ///
  /// It must be a join: join(a, b) is join(b, a), and the result joined with `a` or `b` is the result again.
  /// Inference tests that, and limits the changes of a variable's type. Otherwise the compile fails with a
  /// TypeError that names the rule.
  std::function<TypeRef(TypeContext &, TypeRef a, TypeRef b)> join;

  /// Called as convert(T, x) for a value that does not have its variable's type T. Its methods are chosen as
  /// for any call. Its result must have type T.
  Value convert;
};

} // namespace kiln
