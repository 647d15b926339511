// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of diagnostics, for programs that decide by them, and what each kind means. Names and messages are
// for people, and may change; a number never changes its meaning.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace kiln {

/// The number of a diagnostic's kind (Diagnostic::name), as docs/guide/errors.md lists them. The hundreds are
/// those of the ErrorKind. 100 times the ErrorKind stands for a kind without a number of its own, such as an
/// exception that the program defines.
KILN_API uint32_t error_code(ErrorKind kind, const Diagnostic &diagnostic);
/// The number of the first diagnostic.
KILN_API uint32_t error_code(const Error &error);

/// A kind of diagnostic, as `kiln explain` prints it.
struct DiagnosticInfo {
  uint32_t number;
  ErrorKind kind;
  std::string_view name;    ///< "MethodError"
  std::string_view meaning; ///< what happened
  std::string_view cure;    ///< what to do about it
};

/// All kinds that have a number, in the order of their numbers. The texts live as long as the program.
KILN_API std::span<const DiagnosticInfo> all_diagnostics();
/// The kind with this number or name ("102", "MethodError"); null: there is none.
KILN_API const DiagnosticInfo *find_diagnostic(std::string_view number_or_name);

} // namespace kiln
