// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of lowered code that a language names when it builds a body: operands, flags and hints. CodeBuilder
// (code_builder.h) makes the code itself.
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
inline constexpr uint8_t Outer = 1;          ///< variable of a surrounding function, whose code decides
inline constexpr uint8_t AssignedInside = 2; ///< a closure assigns it
} // namespace flags

/// Hints of a method: @inline, @noinline, @propagate_inbounds, ...
struct MethodHints {
  bool inline_ = false;
  bool noinline = false;
  bool propagate_inbounds = false;
  bool aggressive_constprop = false;
  bool generated = false; ///< the body makes the code, from the arguments' types
  bool typed = false;     ///< every statement's type is declared: CodeBuilder::declare
  /// Rule for values of different types that meet at a variable. Null: the variable's type is their Union.
  std::shared_ptr<const JoinRule> join;
  bool operator==(const MethodHints &) const = default;
};

} // namespace kiln
