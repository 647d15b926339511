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
  std::vector<uint32_t> preds, succs; ///< succs of GotoIfNot: {taken if true (fall through), taken if false}
  uint32_t idom = 0;                  ///< immediate dominator; the entry's is itself
  bool is_loop_header = false;
};

/// What a statement of the SSA form is declared to be.
struct SsaDeclaration : Declaration {
  static constexpr uint32_t no_slot = ~0u;
  uint32_t slot = no_slot; ///< it is what the variable holds: a Phi, or a Copy that assigns to it
};

/// Captures: a Cell is a variable's value where a closure takes it (args[0]; None: it may be unassigned there
/// and is assigned later). SetSlot and Fresh stay, as marks, of variables that closures share: inference
/// refuses closures that such a mark makes stale. A local closure over such variables is made anew where it
/// is used, so that it has their present values.
///
/// Else SetSlot, IsDefined and Slot operands are gone; argument i is operand Slot(i), i < nargs, still, and
/// never assigned. Phis stand at the head of their block, pis right after them. Goto targets are blocks, not
/// statements. A use of a variable that is unassigned on some path is preceded by a call of the builtin
/// `throw_undef_var(condition, name)`; where no path assigns it, the operand is None after that call.
struct SsaCode {
  const CodeInfo *code = nullptr; ///< owns constants, globals, names; outlives this
  std::vector<Stmt> stmts;
  std::vector<Value> extra_constants; ///< Const operands past code->constants.size() index here
  std::vector<SsaBlock> blocks;       ///< in reverse post order; 0 is the entry; unreachable blocks are gone
  std::vector<uint32_t> block_of;     ///< statement -> block
  std::vector<SsaDeclaration> declarations; ///< one a statement; empty where the code declares no types
  bool shares_variables = false;            ///< some Cell's variable is assigned after the closure is made
  const Value &constant(uint32_t index) const {
    return index < code->constants.size() ? code->constants[index]
                                          : extra_constants[index - code->constants.size()];
  }
};

/// Builds the SSA form. `code` must have passed the verifier. Pis are made for conditions that may narrow:
/// calls of isa, ===, !==, isnothing, and their negation by !, on a slot that the condition read. Where the
/// code has a join rule, each operand of a variable's phi is a Copy (flags::Joined) at the end of the edge it
/// comes by, which leads to the phi alone; where it declares types, each assignment is a Copy.
/// `throw_undef_var`: the builtin of that name (World::intrinsic_value), callee of the calls inserted.
SsaCode to_ssa(TypeContext &types, const CodeInfo &code, const Value &throw_undef_var);
std::string to_string(const SsaCode &code);
/// One operand or statement, for other printers (typed code).
std::string to_string(const SsaCode &code, Operand operand);
std::string to_string(const SsaCode &code, const Stmt &stmt);
/// A statement in a message, as the session's language writes it.
std::string spell(const TypeContext &types, const SsaCode &code, const Stmt &stmt);

} // namespace kiln
