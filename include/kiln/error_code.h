// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of errors, for programs that decide by them. Names and messages are for people, and may change.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <cstdint>

namespace kiln {

/// The number of a diagnostic's kind (Diagnostic::name), as docs/guide/errors.md lists them: the hundreds are
/// the ErrorKind, 100 x its number and no more is a kind without a number of its own, such as an exception
/// that the program defines. A number never changes its meaning.
KILN_API uint32_t error_code(ErrorKind kind, const Diagnostic &diagnostic);
/// Of its first diagnostic.
KILN_API uint32_t error_code(const Error &error);

} // namespace kiln
