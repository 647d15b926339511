// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps values of the SSA form to the source's variables, for debug information. The SSA form itself does not
// name variables: jobs of all debug levels share it, and most need none.
#pragma once

#include <infer/infer.h>

namespace kiln {

/// Assignment of a value to a variable, which takes effect right before statement `before`.
struct Assignment {
  uint32_t before = 0;
  uint32_t slot = 0;
  Operand value; ///< Ssa, Slot (an argument) or Const operand
  Span at;
};

struct Variables {
  std::vector<Assignment> assignments; ///< sorted by `before`; only variables that have a name in the source
  /// For each statement that is a phi, the slot of the variable that it merges; 0: no variable, or not
  /// certain.
  std::vector<uint32_t> slot_of_phi;
  std::map<uint32_t, Span> declared_at; ///< place of a slot's first assignment
};

/// Finds the variables of an SSA form. Builds the form a second time from code that reads each variable after
/// its assignments.
Variables variables_of(TypeContext &types, const SsaCode &ssa);

/// True if the slot has a name in the source that code can read. Temporaries have no name, names made by
/// macros begin with #, and _ cannot be read.
bool is_named(const CodeInfo &code, uint32_t slot);

} // namespace kiln
