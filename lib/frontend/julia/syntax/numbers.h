// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Number literals as values: typed by their spelling, as Julia does.
#pragma once

#include <kiln/extension/language/print.h>
#include <kiln/extension/language/source.h>
#include <kiln/extension/language/type_context.h>

namespace kiln::julia {

/// A number, or why the text is none.
struct NumberResult {
  Value value;
  std::string error; ///< empty if there is a value
};

/// `text` is what the lexer took for a number; `negative`: a minus sign stands before it.
NumberResult parse_number(TypeContext &types, std::string_view text, bool negative = false);

} // namespace kiln::julia
