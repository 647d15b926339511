// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats types, values and calls as text. The functions to_... write Julia's notation, for keys, traces and
// files. The functions spell... write the notation of the session's language, for messages, timing tables and
// reports.
#pragma once

#include <kiln/extension/language/type_context.h>

#include <span>
#include <string>
#include <string_view>

namespace kiln {

/// Formats a type or value in Julia's notation: "Tuple{Int64, Float32}", "Array{T, 1} where T", "typeof(+)",
/// "Val{:x}", "(1, 2.0f0)".
KILN_API std::string to_string(TypeRef type);
KILN_API std::string to_string(const Value &value);
/// Like to_string, for messages: cut off with "…" after about 160 characters.
KILN_API std::string to_short_string(TypeRef type);
/// Formats a call as in a method error: "f(::Int64, ::Type{Float32})". Long types are cut off.
KILN_API std::string call_to_string(std::span<const TypeRef> argument_types);
/// Formats a method's signature as in a list of candidate methods: "f(::T, ::Vector{T}) where T<:Real".
KILN_API std::string signature_to_string(TypeRef signature);

/// Writes types, values and calls for people, in a language's notation. The base class writes Julia's
/// notation. A language overrides functions and returns its printer from Frontend::printer. Any thread calls
/// it, several at once.
class KILN_API Printer {
public:
  virtual ~Printer();
  /// Writes a type. The base class calls this virtual function for the type's parameters too. A language that
  /// writes Int64 as i64 so gets Tuple{i64, i64}.
  virtual std::string type(TypeRef type) const;
  virtual std::string value(const Value &value) const;
  /// Writes a callee's name from its type: "sin" for typeof(sin), "Float32" for the constructor
  /// Type{Float32}, "(::T)" for a callable value.
  virtual std::string function(TypeRef callee) const;
  /// Writes a call as in "no method matching f(::Int64)". `types` holds the function's type, then the
  /// arguments' types.
  virtual std::string call(std::span<const TypeRef> types) const;
  /// Writes a method's signature as in a list of candidate methods: "f(::T) where T".
  virtual std::string signature(TypeRef signature) const;
  /// Writes a job for timing tables and logs: "f(Int64)". `types` is as for call().
  virtual std::string job(std::span<const TypeRef> types) const;
  /// Writes an operation on operands that are already formatted: "+(a, b)".
  virtual std::string operation(std::string_view function, std::span<const std::string> operands) const;
};

/// Formats a type with the printer of its session (TypeContext::printer), or in Julia's notation if there is
/// none.
KILN_API std::string spell(TypeRef type);
KILN_API std::string spell(const Value &value);
KILN_API std::string spell_short(TypeRef type); ///< cut off like to_short_string
KILN_API std::string spell_call(std::span<const TypeRef> types);
KILN_API std::string spell_signature(TypeRef signature);
KILN_API std::string spell_job(std::span<const TypeRef> types);

} // namespace kiln
