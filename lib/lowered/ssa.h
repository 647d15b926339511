// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SSA form of lowered code: pruned, minimal for reducible code (Braun et al., "Simple and Efficient
// Construction of Static Single Assignment Form", CC 2013). Values are named by statement index.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

struct SsaBlock {
  uint32_t
      begin = 0,
      end = 0; ///< statements [begin, end); the last is a terminator (Goto, GotoIfNot, Return, Unreachable)
  std::vector<uint32_t> preds, succs; ///< succs of GotoIfNot: {true (fall through), false}
  uint32_t idom = 0;                  ///< immediate dominator; itself for the entry
  bool is_loop_header = false;
};

/// Declared type of an SSA statement.
struct SsaDeclaration : Declaration {
  static constexpr uint32_t no_slot = ~0u;
  uint32_t slot = no_slot; ///< variable whose value it is: of a Phi, or of a Copy that assigns it
};

/// SSA code of a method. Captures: a Cell is a variable's value when a closure captures it (args[0]; None:
/// possibly unassigned then, and assigned later). SetSlot and Fresh of variables shared by closures stay as
/// marks: inference rejects closures that such a mark makes stale. A local closure over such variables is
/// created again at each use, with their present values.
///
/// All other SetSlot, IsDefined and Slot operands are removed. Argument i is operand Slot(i), i < nargs, and
/// is never assigned. Phis are at the start of their block, followed by pis. Goto targets are blocks, not
/// statements. A use of a variable that is unassigned on some path is preceded by a call of the builtin
/// `throw_undef_var(condition, name)`. If no path assigns it, the operand after that call is None.
struct SsaCode {
  const CodeInfo *code = nullptr; ///< owner of constants, globals, names; must outlive this
  std::vector<Stmt> stmts;
  std::vector<Value> extra_constants; ///< indexed by Const operands from code->constants.size() on
  std::vector<SsaBlock> blocks;       ///< in reverse post-order; 0 is the entry; without unreachable blocks
  std::vector<uint32_t> block_of;     ///< statement -> block
  std::vector<SsaDeclaration> declarations; ///< one per statement; empty if the code declares no types
  bool shares_variables = false;            ///< a captured variable is assigned after the closure is made
  const Value &constant(uint32_t index) const {
    return index < code->constants.size() ? code->constants[index]
                                          : extra_constants[index - code->constants.size()];
  }
};

/// Builds the SSA form. `code` must have passed the verifier. Conditions that may narrow get pis: calls of
/// isa, ===, !==, isnothing, and their negation by !, on a slot read by the condition. With a join rule, each
/// operand of a variable's phi is a Copy (flags::Joined) at the end of its edge, which leads only to the phi.
/// With declared types, each assignment is a Copy.
/// `throw_undef_var`: the builtin of that name (World::intrinsic_value), callee of inserted calls.
SsaCode to_ssa(TypeContext &types, const CodeInfo &code, const Value &throw_undef_var);
std::string to_string(const SsaCode &code);
/// Text of one operand or statement, for other printers (typed code).
std::string to_string(const SsaCode &code, Operand operand);
std::string to_string(const SsaCode &code, const Stmt &stmt);
/// Text of a statement in messages, in the session's language.
std::string spell(const TypeContext &types, const SsaCode &code, const Stmt &stmt);

} // namespace kiln
