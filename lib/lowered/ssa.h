// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SSA form of lowered code: pruned, and minimal for reducible code (Braun et al., "Simple and Efficient
// Construction of Static Single Assignment Form", CC 2013). A value is named by the index of its statement.
#pragma once

#include <kiln/extension/language/internal/code.h>

namespace kiln {

struct SsaBlock {
  uint32_t begin = 0,
           end = 0;                   ///< statements [begin, end); the last one is a terminator
  std::vector<uint32_t> preds, succs; ///< succs of GotoIfNot: {block if true (fall through), block if false}
  uint32_t idom = 0;                  ///< immediate dominator; the entry is its own
  bool is_loop_header = false;
};

/// Declared type of an SSA statement, and the variable to which it belongs.
struct SsaDeclaration : Declaration {
  static constexpr uint32_t no_slot = ~0u;
  uint32_t slot = no_slot; ///< variable that a Phi merges, or that a Copy assigns; no_slot: none
};

/// SSA code of a method. A Cell statement is the value of a captured variable at the time of capture. Its
/// operand is None if the variable may be unassigned then. SetSlot and Fresh statements of variables that
/// closures share remain, without values: inference uses them to reject closures that they make stale. A
/// local closure over such variables is made again at each use, with the present values.
///
/// All other SetSlot, IsDefined and Slot operands are removed. Argument i is the operand Slot(i), and is
/// never assigned. Phis are at the start of their block, followed by pis. Targets of Goto are blocks, not
/// statements. Before the use of a variable that is unassigned on some path stands a call of the builtin
/// `throw_undef_var(condition, name)`. If no path assigns the variable, the operand after that call is None.
struct SsaCode {
  const CodeInfo *code = nullptr; ///< owns the constants, globals and names; must outlive this object
  std::vector<Stmt> stmts;
  std::vector<Value> extra_constants;       ///< Const operands index them after code->constants
  std::vector<SsaBlock> blocks;             ///< reachable blocks in reverse post-order; block 0 is the entry
  std::vector<uint32_t> block_of;           ///< statement -> block
  std::vector<SsaDeclaration> declarations; ///< by statement; empty if the code declares no types
  /// True if a captured variable is assigned after its closure is made.
  bool shares_variables = false;
  const Value &constant(uint32_t index) const {
    return index < code->constants.size() ? code->constants[index]
                                          : extra_constants[index - code->constants.size()];
  }
};

/// Builds the SSA form. The verifier must have accepted `code`. If a condition may narrow the type of a slot
/// that it reads, pis are added: for isa, ===, !==, isnothing, and their negation by !. If the language has a
/// join rule, each operand of a variable's phi is a Copy (flags::Joined) at the end of an edge that leads
/// only to the phi. If types are declared, each assignment is a Copy. `throw_undef_var`: the builtin of that
/// name (World::intrinsic_value), which inserted checks call.
SsaCode to_ssa(TypeContext &types, const CodeInfo &code, const Value &throw_undef_var);
std::string to_string(const SsaCode &code);
/// Text of one operand or statement, for printers of typed code.
std::string to_string(const SsaCode &code, Operand operand);
std::string to_string(const SsaCode &code, const Stmt &stmt);
/// Text of a statement for messages, in the syntax of the session's language.
std::string spell(const TypeContext &types, const SsaCode &code, const Stmt &stmt);

} // namespace kiln
