// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of lowered code, and the code of one loop as a function of its own. Programs compile the rest of a
// long loop that the interpreter runs.
#pragma once

#include <kiln/extension/language/internal/code.h>

#include <functional>
#include <optional>
#include <span>

namespace kiln {

/// A loop: the statements from `head`, to which it jumps back, to the last such jump.
struct LoopRange {
  static constexpr uint32_t no_parent = ~uint32_t(0);
  uint32_t head = 0;
  uint32_t last = 0;
  uint32_t parent = no_parent; ///< index of the innermost loop around it
};

/// Finds the loops of the code, ordered by `head`. Loops that overlap without nesting count as one.
std::vector<LoopRange> find_loops(const CodeInfo &code);

/// The code of a loop. Inputs and outputs are variables (Slot) and results of statements (Ssa) of the code
/// around the loop.
struct LoopCode {
  /// A statement that the loop leaves to, and the values that it and its successors read.
  struct Exit {
    uint32_t target = 0;
    std::vector<Operand> outputs;
  };
  CodeInfo code;               ///< takes the inputs; returns (number of the exit from 0, its outputs...)
  std::vector<Operand> inputs; ///< of the arguments after the function itself
  std::vector<Exit> exits;
  std::vector<uint32_t> assigned; ///< slots that the loop assigns
  std::vector<uint32_t> unset;    ///< slots that the loop reads, and that have no value when it begins
  /// Global variables that the loop assigns. The last arguments are their cells, one each: the code reads and
  /// writes the cells in place of the variables.
  std::vector<GlobalName> globals;
};

/// The place of a running loop.
struct LoopPlace {
  const CodeInfo &code;
  LoopRange loop;
  std::span<const TypeRef> static_params; ///< values of the method's where-variables
  std::span<const uint32_t> handlers;     ///< catch blocks of the try blocks around the loop
  std::function<bool(Operand)> is_set;    ///< true if the Slot or Ssa has a value
};

/// Functions that the code of a loop calls.
struct LoopFunctions {
  Value tuple;           ///< the builtin of that name
  GlobalName set_global; ///< Base.setglobal!, by which lowered code assigns global variables
  Value load;            ///< load(cell) returns the value of a global variable's cell
  Value store;           ///< store(cell, x) puts a value of the same type into it
};

/// Makes the code of a loop. No value: the loop stays in the interpreter, for the reason `why`.
KILN_PROGRAMS_API std::optional<LoopCode> loop_code(TypeContext &types, const LoopPlace &place,
                                                    const LoopFunctions &functions, std::string &why);

} // namespace kiln
