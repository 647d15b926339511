// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps values of the SSA form to the source's variables, for debug information. The SSA form does not contain
// them: jobs of all debug levels share it, and most need no variables.
#pragma once

#include <infer/infer.h>

namespace kiln {

/// A variable takes a value right before statement `before`.
struct Assignment {
  uint32_t before = 0;
  uint32_t slot = 0;
  Operand value; ///< operand of the SSA form: Ssa, Slot (an argument) or Const
  Span at;
};

struct Variables {
  std::vector<Assignment> assignments;  ///< sorted by `before`; without temporaries and names made by macros
  std::vector<uint32_t> slot_of_phi;    ///< per statement: variable that a phi merges; 0: none or uncertain
  std::map<uint32_t, Span> declared_at; ///< place of a slot's first assignment
};

/// Computes the variables of an SSA form. Builds it once more, with a call after each assignment that reads
/// the variable.
Variables variables_of(TypeContext &types, const SsaCode &ssa);

/// True for names in the source: temporaries have none, and names made by macros begin with #. An assignment
/// to _ cannot be read.
bool is_named(const CodeInfo &code, uint32_t slot);

} // namespace kiln
