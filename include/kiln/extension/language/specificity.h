// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which methods are preferred (Bezanson, "Abstraction in Technical Computing", 2015, ch. 4.3;
// Julia manual, "Methods"): a strict subtype is more specific; argument by argument otherwise; a fixed
// arity before Vararg; a diagonal variable before free ones.
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

/// True if signature a is strictly more specific than b.
KILN_API bool is_more_specific(TypeContext &types, TypeRef a, TypeRef b);

} // namespace kiln
