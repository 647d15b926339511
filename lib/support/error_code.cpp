// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/error_code.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace kiln {

static_assert(uint32_t(ErrorKind::Input) == 1 && uint32_t(ErrorKind::Usage) == 2 &&
                  uint32_t(ErrorKind::Machine) == 3 && uint32_t(ErrorKind::Internal) == 4,
              "the kinds' numbers are the C API's statuses and the program's exit statuses");

namespace {

constexpr std::array table{
#define KILN_FAULT(number, kind, name, meaning, cure)                                                        \
  DiagnosticInfo{number, ErrorKind::kind, name, meaning, cure},
#include "faults.def"
#undef KILN_FAULT
};
static_assert(std::ranges::is_sorted(table, {}, &DiagnosticInfo::number) &&
                  std::ranges::adjacent_find(table, {}, &DiagnosticInfo::number) == table.end(),
              "each number once, in order");

} // namespace

std::span<const DiagnosticInfo> all_diagnostics() { return table; }

const DiagnosticInfo *find_diagnostic(std::string_view number_or_name) {
  uint32_t number = 0;
  const char *end = number_or_name.data() + number_or_name.size();
  const auto [stop, error] =
      std::from_chars(number_or_name.data(), number_or_name.data() + number_or_name.size(), number);
  const bool is_number = error == std::errc() && stop == end;
  const auto found = std::ranges::find_if(table, [&](const DiagnosticInfo &fault) {
    return is_number ? fault.number == number : fault.name == number_or_name;
  });
  return found == table.end() ? nullptr : &*found;
}

uint32_t error_code(ErrorKind kind, const Diagnostic &diagnostic) {
  const DiagnosticInfo *fault = find_diagnostic(diagnostic.name);
  return fault && fault->name == diagnostic.name && fault->kind == kind ? fault->number
                                                                        : 100 * uint32_t(kind);
}

uint32_t error_code(const Error &error) {
  return error.diagnostics().empty() ? 100 * uint32_t(error.kind())
                                     : error_code(error.kind(), error.diagnostics()[0]);
}

} // namespace kiln
