// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of number literals. Their spelling determines the type, as in Julia.
#pragma once

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A number, or an error.
struct NumberResult {
  Value value;
  std::string error; ///< empty if there is a value
};

/// `text`: a number token of the lexer. `negative`: a minus sign precedes it.
NumberResult parse_number(TypeContext &types, std::string_view text, bool negative = false);

} // namespace kiln::julia
