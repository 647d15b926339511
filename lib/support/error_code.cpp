// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/error_code.h>
#include <kiln/result.h>

#include "read_number.h"

#include <algorithm>
#include <array>

namespace kiln {

namespace {

constexpr std::array table{
#define KILN_FAULT(number, kind, code, name, meaning, cure)                                                  \
  DiagnosticInfo{ErrorCode::code, name, meaning, cure},
#include <kiln/faults.def>
#undef KILN_FAULT
};
#define KILN_FAULT(number, kind, code, name, meaning, cure)                                                  \
  static_assert(kind_of(ErrorCode::code) == ErrorKind::kind, "the hundred of a number is that of its kind");
#include <kiln/faults.def>
#undef KILN_FAULT
static_assert(std::ranges::is_sorted(table, {}, &DiagnosticInfo::code) &&
                  std::ranges::adjacent_find(table, {}, &DiagnosticInfo::code) == table.end(),
              "each number once, in order");

} // namespace

std::span<const DiagnosticInfo> KILN_API_VERSION::all_diagnostics() { return table; }

const DiagnosticInfo *KILN_API_VERSION::find_diagnostic(std::string_view number_or_name) {
  const auto number = read_number<uint32_t>(number_or_name);
  const auto found = std::ranges::find_if(table, [&](const DiagnosticInfo &row) {
    return number ? uint32_t(row.code) == *number : row.name == number_or_name;
  });
  return found == table.end() ? nullptr : &*found;
}

std::string_view KILN_API_VERSION::name_of(ErrorCode code) {
  const auto found = std::ranges::lower_bound(table, code, {}, &DiagnosticInfo::code);
  return found != table.end() && found->code == code ? found->name : std::string_view("");
}

Error KILN_API_VERSION::named_error(std::string_view name, std::string message, Location at,
                                    std::string hint) {
  const DiagnosticInfo *row = find_diagnostic(name);
  const bool has_row = row && row->name == name && kind_of(row->code) == ErrorKind::Input;
  Error error =
      make_error(has_row ? row->code : ErrorCode::Input, std::move(message), std::move(at), std::move(hint));
  if (!has_row) error.diagnostics().front().exception = name;
  return error;
}

Error KILN_API_VERSION::as_internal(std::vector<Diagnostic> diagnostics) {
  for (Diagnostic &each : diagnostics) {
    if (!each.name().empty()) each.message = std::string(each.name()) + ": " + each.message;
    each.code = ErrorCode::Internal;
    each.exception.clear();
  }
  return diagnostics;
}

} // namespace kiln
