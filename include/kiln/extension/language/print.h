// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and values as Julia prints them: "Tuple{Int64, Float32}", "Array{T, 1} where T", "typeof(+)",
// "Val{:x}", "(1, 2.0f0)".
#pragma once

#include <kiln/extension/language/type_context.h>

namespace kiln {

KILN_API std::string to_string(TypeRef type);
KILN_API std::string to_string(const Value &value);
/// For a message: cut short with "…" after some 160 characters.
KILN_API std::string to_short_string(TypeRef type);
/// A call as in a method error: "f(::Int64, ::Type{Float32})"; long types are cut short.
KILN_API std::string call_to_string(std::span<const TypeRef> argument_types);
/// A method's signature as in a list of candidates: "f(::T, ::Vector{T}) where T<:Real".
KILN_API std::string signature_to_string(TypeRef signature);

} // namespace kiln
