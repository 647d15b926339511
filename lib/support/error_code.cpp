// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/error_code.h>

namespace kiln {

static_assert(uint32_t(ErrorKind::Input) == 1 && uint32_t(ErrorKind::Usage) == 2 &&
                  uint32_t(ErrorKind::Machine) == 3 && uint32_t(ErrorKind::Internal) == 4,
              "the kinds' numbers are the C API's statuses and the program's exit statuses");

uint32_t error_code(ErrorKind kind, const Diagnostic &diagnostic) {
#define KILN_ERROR_CODE(number, of_kind, text)                                                               \
  if (kind == ErrorKind::of_kind && diagnostic.name == text) return number;
#include "error_codes.def"
#undef KILN_ERROR_CODE
  return 100 * uint32_t(kind);
}

uint32_t error_code(const Error &error) {
  return error.diagnostics().empty() ? 100 * uint32_t(error.kind())
                                     : error_code(error.kind(), error.diagnostics()[0]);
}

} // namespace kiln
