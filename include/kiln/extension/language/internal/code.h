// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered code: the untyped statements of a method over slots (variables). CodeBuilder makes it, inference
// reads it.
#pragma once

#include <kiln/extension/language/code.h>

namespace kiln {

enum class Op : uint8_t {
  Copy, ///< args[0]
  Call, ///< calls args[0] with args[1..]. A splat is a call of the builtin _apply_iterate
  New,  ///< makes a struct of type args[0] from the fields args[1..], unconverted
  /// Makes a closure. args[0]: its wrapper type (Const); args[1..]: the captured values, whose types become
  /// its parameters.
  NewClosure,
  SetSlot,     ///< slot `slot` = args[0]
  IsDefined,   ///< Bool: true if slot `slot` is assigned
  BoundsCheck, ///< Bool: true if bounds checks are on; @inbounds of the caller decides after inlining
  Goto,        ///< to statement `target`
  GotoIfNot,   ///< jumps to `target` if args[0], a Bool, is false
  Return,      ///< args[0]
  Unreachable, ///< marks the place after a call that never returns
  Phi,         ///< SSA form only: args[k] comes from block phi_blocks[k]; None: undefined there
  Pi,          ///< SSA form only: args[0] with its type narrowed, since condition args[1] is `pi_when`
  // Statements that only the interpreter runs. A HostOnly, at which compiled code ends, precedes them.
  /// No operation in the interpreter; compiled code calls args[0] (compile_error) with the text args[1].
  HostOnly,
  /// Begins a try block: errors jump to statement `target`. `slot` holds the number of enclosing catch
  /// blocks.
  Enter,
  Leave,     ///< ends the try block of the last Enter
  Exception, ///< at the target of an Enter: the thrown value
  // Variables that closures capture.
  /// Variable `slot` as a closure captures it. With flags::ByValue it is the value; else a cell that the
  /// closure and the function share for all reads and writes.
  Cell,
  Fresh, ///< begins a new variable in slot `slot`, without value and cell
};

namespace flags {
inline constexpr uint8_t ReadsSlotMaybeUndef = 8;
inline constexpr uint8_t Joined = 16; ///< SSA form only: a Copy in which a JoinRule may convert the value
// Flags of a Cell; CodeBuilder::finish sets them.
inline constexpr uint8_t ByValue = 4; ///< assigned on every path before the closure is made, and never after
/// Never assigned after the closure is made, but maybe unassigned before.
inline constexpr uint8_t Unchanged = 8;
} // namespace flags

struct Stmt {
  Op op = Op::Copy;
  uint8_t flags = 0;
  bool pi_when = false;
  uint32_t slot = 0;
  uint32_t target = 0;
  Operands args;
  Span at;
  std::vector<uint32_t> phi_blocks; ///< SSA form only
  bool operator==(const Stmt &) const = default;
};

struct GlobalName {
  const Module *module = nullptr;
  Symbol name;
  bool operator==(const GlobalName &) const = default;
};

/// Types that a language declared for a statement; inference must find the same (CodeBuilder::declare).
struct Declaration {
  TypeRef type = nullptr;   ///< type of the statement's result; null: not declared
  TypeRef method = nullptr; ///< for a call: signature of the method that it reaches; null: not declared
};

/// Lowered code of one method. The method owns it; immutable once built.
struct KILN_API CodeInfo {
  Symbol name; ///< of the function, for printing
  /// Names of the slots: slot 0 is the function itself ("#self#"), then arguments, then variables.
  std::vector<Symbol> slot_names;
  uint32_t nargs = 0;                         ///< including slot 0
  bool is_vararg = false;                     ///< the last argument is a tuple of all remaining arguments
  std::vector<const TypeVar *> static_params; ///< the signature's where-variables, outermost first
  std::vector<Value> constants;
  std::vector<GlobalName> globals;
  std::vector<Stmt> stmts;
  MethodHints hints;
  Span at;
  /// One for each statement, from the first; missing ones declare nothing.
  std::vector<Declaration> declarations;
  std::vector<TypeRef> slot_types; ///< declared types of variables; null or missing: not declared
  TypeRef result_type = nullptr;   ///< declared return type; null: not declared
  bool has_declarations() const { return !declarations.empty() || !slot_types.empty() || result_type; }

  /// Digest of the code without source positions; identifies the method in level-1 cache keys.
  Fingerprint digest(TypeContext &types) const;
};

} // namespace kiln
