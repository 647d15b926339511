// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/error_code.h>

#include <catch2/catch.hpp>

#include <set>

using namespace kiln;

TEST_CASE("each kind of diagnostic is found by its number and by its name") {
  std::set<std::string_view> names;
  for (const DiagnosticInfo &fault : all_diagnostics()) {
    CHECK(find_diagnostic(std::to_string(fault.number)) == &fault);
    CHECK(find_diagnostic(fault.name) == &fault);
    CHECK(names.insert(fault.name).second);
    CHECK(fault.number / 100 == uint32_t(fault.kind));
    CHECK_FALSE(fault.meaning.empty());
    CHECK_FALSE(fault.cure.empty());
  }
  for (std::string_view other : {"", "0", "99", "102x", " 102", "methoderror", "99999999999"})
    CHECK(find_diagnostic(other) == nullptr);
}

TEST_CASE("a diagnostic's number is that of its name, else of its kind") {
  const Diagnostic method{.name = "MethodError"}, own{.name = "MyError"}, error{.name = "error"};
  CHECK(error_code(ErrorKind::Input, method) == 102);
  CHECK(error_code(ErrorKind::Machine, method) == 300); // the program's own name for something else
  CHECK(error_code(ErrorKind::Input, own) == 100);
  CHECK(error_code(ErrorKind::Machine, error) == 300);
  CHECK(error_code(ErrorKind::Input, error) == 100);
  CHECK(error_code(ErrorKind::Usage, own) == 200);
}
