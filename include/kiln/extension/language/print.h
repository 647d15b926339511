// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types, values and calls as text. to_string and its kin write Julia, which keys, traces and files hold.
// spell() and its kin write the session's language, for messages, timing tables and reports.
#pragma once

#include <kiln/extension/language/type_context.h>

#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// "Tuple{Int64, Float32}", "Array{T, 1} where T", "typeof(+)", "Val{:x}", "(1, 2.0f0)".
KILN_API std::string to_string(TypeRef type);
KILN_API std::string to_string(const Value &value);
/// For a message: cut short with "…" after some 160 characters.
KILN_API std::string to_short_string(TypeRef type);
/// A call as in a method error: "f(::Int64, ::Type{Float32})"; long types are cut short.
KILN_API std::string call_to_string(std::span<const TypeRef> argument_types);
/// A method's signature as in a list of candidates: "f(::T, ::Vector{T}) where T<:Real".
KILN_API std::string signature_to_string(TypeRef signature);

/// Spells types, values and calls for people. The base class spells as Julia does; a language overrides parts
/// and returns its printer in Frontend::printer. Any thread calls it, several at once.
class KILN_API Printer {
public:
  virtual ~Printer();
  /// The base class calls this function again for the parameters of a type. A language that overrides the
  /// spelling of Int64 therefore gets Tuple{i64, i64}.
  virtual std::string type(TypeRef type) const;
  virtual std::string value(const Value &value) const;
  /// A function's name, from the type of the callee: "sin" for typeof(sin). For a called type, "Float32" for
  /// Type{Float32}; for a called value, "(::T)".
  virtual std::string function(TypeRef callee) const;
  /// A call as in "no method matching": `types` holds the function's type first. "f(::Int64)".
  virtual std::string call(std::span<const TypeRef> types) const;
  /// A method's signature, as in a list of candidates: "f(::T) where T".
  virtual std::string signature(TypeRef signature) const;
  /// A job in timing tables and logs, from the types that call() takes: "f(Int64)".
  virtual std::string job(std::span<const TypeRef> types) const;
  /// An operation of a body on operands that are text already: "+(a, b)".
  virtual std::string operation(std::string_view function, std::span<const std::string> operands) const;
};

/// As the printer of the session that made the type (TypeContext::printer) writes it; Julia where it has
/// none.
KILN_API std::string spell(TypeRef type);
KILN_API std::string spell(const Value &value);
KILN_API std::string spell_short(TypeRef type); ///< cut short, as to_short_string
KILN_API std::string spell_call(std::span<const TypeRef> types);
KILN_API std::string spell_signature(TypeRef signature);
KILN_API std::string spell_job(std::span<const TypeRef> types);

} // namespace kiln
