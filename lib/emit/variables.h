// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values of the SSA form are those of the source's variables, for debug information. The SSA form
// itself does not tell: it is shared by jobs of all debug levels, and most ask for no variables.
#pragma once

#include <infer/infer.h>

namespace kiln {

/// A variable takes a value right before statement `before`.
struct Assignment {
  uint32_t before = 0;
  uint32_t slot = 0;
  Operand value; ///< of the SSA form: Ssa, Slot (an argument) or Const
  Span at;
};

struct Variables {
  std::vector<Assignment> assignments; ///< `before` rises; temporaries and what macros made are left out
  std::vector<uint32_t> slot_of_phi;   ///< one a statement: the variable that a phi merges; 0 for all others,
                                       ///< and where it is not certain
  std::map<uint32_t, Span> declared_at; ///< where a slot is first assigned
};

/// Of the method whose SSA form it is. Builds that form once more, with a call behind each assignment that
/// reads the variable.
Variables variables_of(TypeContext &types, const SsaCode &ssa);

/// By who wrote the program: temporaries have no name, and those of macros begin with #. What is assigned to
/// _ cannot be read.
bool is_named(const CodeInfo &code, uint32_t slot);

} // namespace kiln
