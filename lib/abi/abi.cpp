// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "abi.h"

namespace kiln::abi {

namespace {

constexpr std::string_view names[] = {
    "None",        "Unknown",       "BoundsError",    "DivideError",      "InexactError",
    "DomainError", "ArgumentError", "OverflowError",  "UndefVarError",    "AssertionError",
    "MethodError", "TypeError",     "ErrorException", "OutOfMemoryError",
};
static_assert(std::size(names) == size_t(ExceptionKind::Count));

} // namespace

std::string_view exception_name(ExceptionKind kind) {
  return kind < ExceptionKind::Count ? names[size_t(kind)] : names[size_t(ExceptionKind::Unknown)];
}

ExceptionKind exception_kind(std::string_view name) {
  for (size_t i = size_t(ExceptionKind::Unknown); i < std::size(names); ++i)
    if (names[i] == name) return ExceptionKind(i);
  return ExceptionKind::Unknown;
}

} // namespace kiln::abi
