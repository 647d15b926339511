// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the values of number literals. The spelling of a literal determines its type, as in Julia.
#pragma once

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A number, or an error.
struct NumberResult {
  Value value;
  std::string error;    ///< what is wrong with the literal; empty if it has a value
  bool is_wide = false; ///< an integer of more than 128 bits, without a value: a BigInt
};

/// Parses a number. `text`: the number's token. `negative`: the number follows a minus sign.
NumberResult parse_number(TypeContext &types, std::string_view text, bool negative = false);

} // namespace kiln::julia
