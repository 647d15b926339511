// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags and hints for the lowered code of a method. A language passes them when it builds bodies with
// CodeBuilder (code_builder.h).
#pragma once

#include <kiln/extension/language/join_rule.h>
#include <kiln/extension/language/module.h>
#include <kiln/extension/language/operands.h>
#include <kiln/extension/language/type_context.h>

namespace kiln {

struct CodeInfo; ///< lowered code of one method; opaque here

namespace flags {
inline constexpr uint8_t Inbounds = 1; ///< lexically in @inbounds
inline constexpr uint8_t Inline = 2;   ///< call-site @inline
inline constexpr uint8_t NoInline = 4; ///< call-site @noinline
// Flags of CodeBuilder::cell.
/// The variable is captured from an enclosing function, whose code decides how.
inline constexpr uint8_t Outer = 1;
inline constexpr uint8_t AssignedInside = 2; ///< a closure assigns it
} // namespace flags

/// Hints of a method for the compiler, as in Julia: @inline, @noinline, @propagate_inbounds, ...
struct MethodHints {
  bool inline_ = false;
  bool noinline = false;
  bool propagate_inbounds = false;
  bool aggressive_constprop = false;
  bool generated = false; ///< @generated: the body computes the method's code from the argument types
  bool typed = false;     ///< every statement's type is declared: CodeBuilder::declare
  /// Rule for a variable that gets values of different types. Null: the variable's type is their Union.
  std::shared_ptr<const JoinRule> join;
  bool operator==(const MethodHints &) const = default;
};

} // namespace kiln
