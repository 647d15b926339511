// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on references to values of the interpreter, which plain functions for the CPU call. The library
// of programs implements them.
#pragma once

#include <kiln/export.h>

#include <cstdint>

namespace kiln {

struct ReferenceFunctions {
  /// Julia's === of two references of one type.
  bool (*same)(const void *a, const void *b);
  /// Returns the reference to a variable, by abi::symbol_identity of its full name. Null: unknown.
  void *(*variable)(uint64_t name);
  /// Notes a value of an exception that is about to be thrown: part `index` of its message, or -1: the
  /// exception. `type`: abi::symbol_identity of the type's text. `words`: the numbers and references in it;
  /// null: unknown.
  void (*note)(int64_t index, uint64_t type, const uint64_t *words);
};
KILN_PROGRAMS_API void set_reference_functions(const ReferenceFunctions &functions);

inline constexpr const char *SameReferenceSymbol = "kiln.reference.same_reference";
extern "C" bool kiln_same_reference(const void *a, const void *b);
inline constexpr const char *VariableSymbol = "kiln.reference.variable";
extern "C" void *kiln_variable(uint64_t name);
inline constexpr const char *NoteSymbol = "kiln.reference.note";
extern "C" void kiln_note(int64_t index, uint64_t type, const uint64_t *words);

} // namespace kiln
