// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Class Library: binds host functions for programs in Base. Each file of host functions uses it. A name
// starts with __ if runtime/library/program/*.jl wraps the function. A host function that returns an empty
// Value leaves the call to the Julia methods.
#pragma once

#include "programs.h"

#include <host/host.h>
#include <interp/host_arrays.h>
#include <support/float_text.h>

#include <cstring>

namespace kiln {

using Args = std::span<const Value>;

class Library {
public:
  explicit Library(Program::State &in)
      : program(in), interpreter(in.interpreter()), types(in.types()), world(in.world()) {}
  Program::State &program;
  Interpreter &interpreter;
  TypeContext &types;
  CompilerWorld &world;

  /// Binds a host function of `arguments` arguments. Calls with another number are left to the Julia methods.
  template <class F> void add(std::string_view name, size_t arguments, F function) {
    add_any(name, [arguments, function](Interpreter &i, Args args) -> Result<Value> {
      if (args.size() != arguments) return Value();
      return function(i, args);
    });
  }
  void add_any(std::string_view name, Interpreter::HostFunction function) {
    auto added = program.interpreter().add_host_function(*world.base(), name, std::move(function));
    if (!added.ok() && done.ok()) done = std::move(added);
  }
  Value text(std::string s) const { return Value::string(types, std::move(s)); }
  Value nothing() const { return types.nothing(); }
  Result<Value> bytes_vector(std::string_view bytes) const; ///< Vector{UInt8}
  /// Returns an InterruptException if the program was interrupted. Long loops of host functions must call it.
  Result<void> check_interrupt() const {
    if (StopToken::take(program.interrupts)) return interrupt_error();
    return {};
  }
  /// Returns the type with this name in Base. Null if there is none.
  TypeRef type(std::string_view name) const { return find_base_type(interpreter, name); }

  Result<void> done; ///< first error of add
};

/// Returns an integer of any width, like integer_of. Empty from 2^127 on, and for other values.
std::optional<__int128> wide_integer_of(TypeContext &types, const Value &v);
std::optional<double> float_of(TypeContext &types, const Value &v); ///< value of any real machine number
/// A Char's UTF-8.
std::string char_text(uint32_t bits);
uint32_t char_bits(std::string_view utf8);
/// Prints a type in Julia's notation: Vector{Int64}, Matrix{Float64}.
std::string type_text(TypeContext &types, TypeRef type);
/// Prints a number. Integers get no type marker such as 0x.
std::string plain_number(TypeContext &types, const Value &v, FloatStyle style);
/// Returns the text of a String or SubString. Empty for other values.
std::optional<std::string_view> text_of(const Value &v);
/// Returns the output of print for a value without a print method of its own. Empty for other values.
std::optional<std::string> plain_text(TypeContext &types, const Value &v);
/// Like plain_text, with the names of types as Main sees them.
std::optional<std::string> printed_text(Library &library, const Value &v);

void add_texts(Library &library);
void add_characters(Library &library);
void add_strings(Library &library);
void add_parsing(Library &library);
void add_splitting(Library &library);
void add_streams(Library &library);
void add_files(Library &library);
void add_dicts(Library &library);
void add_addresses(Library &library);
void add_bits(Library &library);
void add_object_parts(Library &library);
void add_arrays(Library &library);
void add_sorting(Library &library);
void add_broadcasting(Library &library);
void add_system(Library &library);
void add_random(Library &library);
void add_regex(Library &library);
void add_reflection(Library &library);
void add_big_integers(Library &library);
void add_big_floats(Library &library);

/// Returns the text of an integer in a base from 2 to 62, with zeros in front up to `width` digits.
std::string text_of_integer(unsigned __int128 size, bool is_negative, unsigned base, int64_t width);

} // namespace kiln
