// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of diagnostics: their numbers, names and meanings. Programs should test the numbers, which are
// stable. Names and messages are for people and may change.
#pragma once

#include <kiln/export.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Class of an error by its cause. The program's exit status and the C API's status have the same values.
enum class ErrorKind : uint8_t {
  Input = 1,    ///< the program or its input is wrong
  Usage = 2,    ///< wrong usage of the API or the command line
  Machine = 3,  ///< the machine lacks something (a GPU, a library), or memory or disk is full
  Internal = 4, ///< a fault of Kiln itself
};

/// Kind of a diagnostic. The value is the number that `kiln explain 102` and docs/guide/errors.md use; it
/// never changes. The enumerators come from the rows of kiln/faults.def.
enum class ErrorCode : uint16_t {
  None = 0, ///< a warning
#define KILN_FAULT(number, kind, code, name, meaning, cure) code = number,
#include <kiln/faults.def>
#undef KILN_FAULT
};

/// Returns the class of a code: Input for 100 to 199, Usage for 200 to 299, and so on. A warning (None) is no
/// error, so an error that has this code is Internal.
constexpr ErrorKind kind_of(ErrorCode code) {
  return code == ErrorCode::None ? ErrorKind::Internal : ErrorKind(uint16_t(code) / 100);
}
/// Returns the code for diagnostics of this class that have no row in kiln/faults.def: 100, 200, 300 or 400.
constexpr ErrorCode general_code(ErrorKind kind) { return ErrorCode(uint16_t(kind) * 100); }

/// One row of kiln/faults.def, as `kiln explain` prints it.
struct DiagnosticInfo {
  ErrorCode code;
  std::string_view name;    ///< "MethodError"; a few codes share a name
  std::string_view meaning; ///< the problem, in a sentence
  std::string_view cure;    ///< the recommended action
};

/// Returns all rows of kiln/faults.def, sorted by number. Their texts have static lifetime.
KILN_API std::span<const DiagnosticInfo> all_diagnostics();
/// Finds a row by number or name ("102", "MethodError"). Returns the first row if several have the name, null
/// if none has.
KILN_API const DiagnosticInfo *find_diagnostic(std::string_view number_or_name);
/// Returns a code's name: "MethodError"; empty for None and for numbers without a row. Ends with NUL.
KILN_API std::string_view name_of(ErrorCode code);

} // namespace kiln::inline KILN_API_VERSION
