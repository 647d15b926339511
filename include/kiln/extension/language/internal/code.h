// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowered code: statements over slots, as CodeBuilder makes them and inference reads them.
#pragma once

#include <kiln/extension/language/code.h>

namespace kiln {

enum class Op : uint8_t {
  Copy,        ///< args[0]
  Call,        ///< args[0] applied to args[1..]. Splats are calls of the builtin _apply_iterate
  New,         ///< struct args[0] (a type) from the fields args[1..], unconverted
  NewClosure,  ///< args[0]: a closure's wrapper type (Const); its parameters are the types of the captured
               ///< args[1..]
  SetSlot,     ///< slot `slot` = args[0]
  IsDefined,   ///< whether slot `slot` is assigned: Bool
  BoundsCheck, ///< Bool: are bounds checks wanted here? decided where the method is inlined (@inbounds)
  Goto,        ///< to statement `target`
  GotoIfNot,   ///< to `target` unless args[0]; args[0] must be Bool
  Return,      ///< args[0]
  Unreachable, ///< after a call that never returns
  Phi,         ///< SSA form only: args[k] comes from block phi_blocks[k]; None where undefined
  Pi,          ///< SSA form only: args[0], narrowed by what condition args[1] (being `pi_when`) says of it
  // Statements for the interpreter alone. A HostOnly, at which compiled code ends, stands before each.
  HostOnly,  ///< nothing; compiled, the call of args[0], which is compile_error, with the text args[1]
  Enter,     ///< from here on an error goes to statement `target`; `slot`: catch blocks around it, here
  Leave,     ///< the last Enter holds no longer
  Exception, ///< at the target of an Enter: what was thrown
  // Variables that closures capture.
  Cell,  ///< variable `slot`, as a closure captures it: its value (flags::ByValue), or else the variable
         ///< itself, which the closure then shares: reads and SetSlot go through it
  Fresh, ///< slot `slot` is a new variable: no value, no cell
};

namespace flags {
inline constexpr uint8_t ReadsSlotMaybeUndef = 8;
inline constexpr uint8_t Joined = 16; ///< SSA form only: a Copy that a join rule may convert in (JoinRule)
// Flags of a Cell; CodeBuilder::finish sets them.
inline constexpr uint8_t ByValue = 4;   ///< assigned before the closure on every way, never after it
inline constexpr uint8_t Unchanged = 8; ///< never assigned after the closure, but perhaps not before it
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

/// Declared effects of a statement; inference must find the same (CodeBuilder::declare).
struct Declaration {
  TypeRef type = nullptr;   ///< of its result; null: not declared
  TypeRef method = nullptr; ///< of a call: the signature of the method it reaches; null: not declared
};

/// Lowered code of one method. Owned by it; immutable once built.
struct KILN_API CodeInfo {
  Symbol name;                                ///< of the function, for printing
  std::vector<Symbol> slot_names;             ///< arguments first, slot 0 the function itself ("#self#")
  uint32_t nargs = 0;                         ///< including slot 0
  bool is_vararg = false;                     ///< the last argument collects the rest in a tuple
  std::vector<const TypeVar *> static_params; ///< outermost first, as in the signature
  std::vector<Value> constants;
  std::vector<GlobalName> globals;
  std::vector<Stmt> stmts;
  MethodHints hints;
  Span at;
  std::vector<Declaration> declarations; ///< one a statement; those that are missing have none
  std::vector<TypeRef> slot_types;       ///< declared types of variables; null or missing: not declared
  TypeRef result_type = nullptr;         ///< declared; null: not
  bool has_declarations() const { return !declarations.empty() || !slot_types.empty() || result_type; }

  /// Content digest without positions: the method's identity in the inference key.
  Fingerprint digest(TypeContext &types) const;
};

} // namespace kiln
