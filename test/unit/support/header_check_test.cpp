// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>
#include <kiln/header_check.h>

using namespace kiln;
using Catch::Matchers::Contains;

TEST_CASE("structures of equal sizes, and those that one side does not know, are no error") {
  const StructureSize library[] = {{"A", 8}, {"B", 16}}, older[] = {{"B", 16}},
                      newer[] = {{"C", 1}, {"A", 8}};
  CHECK(check_headers({"0.3.0", library}, library).ok());
  CHECK(check_headers({"0.3.0", older}, library).ok());
  CHECK(check_headers({"0.3.9", newer}, library).ok());
  CHECK(check_headers({"0.3.0", {}}, library).ok());
}

TEST_CASE("structures of other sizes are a usage error with sizes and versions") {
  const StructureSize library[] = {{"A", 8}, {"B", 16}, {"D", 4}},
                      program[] = {{"D", 5}, {"B", 24}, {"A", 8}};
  const Result<void> checked = check_headers({"0.3.9", program}, library);
  REQUIRE(!checked.ok());
  CHECK(checked.error().kind() == ErrorKind::Usage);
  CHECK_THAT(checked.error().diagnostics()[0].message,
             Contains("headers of Kiln 0.3.9") && Contains("the library is Kiln " KILN_VERSION) &&
                 Contains("B (24 bytes, in the library 16), D (5 bytes, in the library 4)"));
  CHECK(!checked.error().diagnostics()[0].hint.empty());
}

TEST_CASE("KILN_TRY is one statement") {
  auto half = [](int x) -> Result<std::unique_ptr<int>> {
    if (x % 2) return usage_error("odd");
    return std::make_unique<int>(x / 2);
  };
  auto sum = [&](int x, int y, bool third) -> Result<int> {
    // clang-format off
    KILN_TRY(auto a, half(x)); KILN_TRY(const auto b, half(y));
    // clang-format on
    std::unique_ptr<int> c = std::make_unique<int>(0);
    if (third) KILN_TRY(c, half(y));
    return *a + *b + *c;
  };
  CHECK(*sum(2, 4, false) == 3);
  CHECK(*sum(2, 4, true) == 5);
  CHECK(sum(2, 5, false).error().diagnostics()[0].message == "odd");
  CHECK(sum(3, 4, false).error().kind() == ErrorKind::Usage);
}
