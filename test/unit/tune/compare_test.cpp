// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays compared: which differences count, and where the first one is.
#include "must.h"

#include <kiln/extension/language.h>
#include <kiln/kiln.h>
#include <session/session.h>
#include <tune/compare.h>

#include <cmath>
#include <cstring>

using namespace kiln;
using namespace kiln::test;

namespace {

struct Types {
  std::unique_ptr<Session> session = must(Session::open({.cache_dir = ""}));
  TypeContext &types() { return definitions_of(*session).types(); }
  TypeRef type(const std::string &name) { return must(evaluate(*session, "type", name)).as_type(); }
};

template <class T> std::vector<std::byte> bytes(const std::vector<T> &values) {
  std::vector<std::byte> all(values.size() * sizeof(T));
  std::memcpy(all.data(), values.data(), all.size());
  return all;
}

template <class T>
std::optional<std::string> difference(Types &types, const std::string &element,
                                      const std::vector<T> &expected, const std::vector<T> &actual,
                                      double tolerance = -1, std::vector<int64_t> dims = {}) {
  if (dims.empty()) dims = {int64_t(expected.size())};
  const ArrayComparison comparison(types.types(), types.type(element), dims, bytes(expected), tolerance);
  return comparison.difference(bytes(actual));
}

} // namespace

TEST_CASE("floating-point numbers are equal within the tolerance, of their own size or of the mean") {
  Types types;
  using Floats = std::vector<float>;
  CHECK_FALSE(difference<float>(types, "Float32", {1, 2, 3}, {1, 2, 3}));
  CHECK_FALSE(difference<float>(types, "Float32", {1, 2, 3}, {1.0002F, 2, 3}));
  CHECK(difference<float>(types, "Float32", {1, 2, 3}, {1, 2.01F, 3}) ==
        "[2] is 2.009999990463257, and the reference has 2");
  CHECK(difference<float>(types, "Float32", {1, 2, 3}, {1.0002F, 2, 3}, 0.0));
  CHECK_FALSE(difference<float>(types, "Float32", {1, 2, 3}, {1.1F, 2, 3}, 0.1));
  CHECK_FALSE(difference<float>(types, "Float32", {0, 1000, 1000}, {0.1F, 1000, 1000})); // the mean is 667
  CHECK(difference<float>(types, "Float32", {0, 1, 1}, {0.1F, 1, 1}));
  CHECK_FALSE(difference<float>(types, "Float32", {NAN, INFINITY, -0.0F}, {NAN, INFINITY, 0.0F}));
  CHECK(difference<float>(types, "Float32", Floats{1}, Floats{NAN}));
  CHECK(difference<float>(types, "Float32", Floats{INFINITY}, Floats{-INFINITY}));
  CHECK(difference<float>(types, "Float32", Floats{INFINITY}, Floats{1}));
  CHECK(difference<double>(types, "Float64", {1.0}, {1.0 + 1e-7}));
  CHECK_FALSE(difference<double>(types, "Float64", {1.0}, {1.0 + 1e-9}));
  CHECK_FALSE(difference<uint16_t>(types, "Float16", {0x3c00}, {0x3c08})); // 1 and 1.0078
  CHECK(difference<uint16_t>(types, "Float16", {0x3c00}, {0x3d00}) == "[1] is 1.25, and the reference has 1");
}

TEST_CASE("all else is compared exactly") {
  Types types;
  CHECK_FALSE(difference<int32_t>(types, "Int32", {1, 2}, {1, 2}));
  CHECK(difference<int32_t>(types, "Int32", {1, 2}, {1, 3}) == "[2] is 0x3, and the reference has 0x2");
  CHECK(difference<uint8_t>(types, "Bool", {1, 0}, {1, 1}));
  CHECK(difference<uint64_t>(types, "UInt128", {1, 0}, {1, 1}) == "[1] is not as in the reference");
}

TEST_CASE("elements that are structs are compared field by field, and padding counts for nothing") {
  Types types;
  must(types.session->load("pair.jl", "struct Pair8\n  a::Int8\n  b::Float32\nend"));
  std::vector<std::byte> expected(16), actual(16);
  const float b = 2.5F, near = 2.5001F, far = 3;
  std::memcpy(expected.data() + 4, &b, 4);
  std::memcpy(actual.data() + 4, &near, 4);
  actual[1] = std::byte(7); // padding
  const ArrayComparison comparison(types.types(), types.type("Pair8"), {2}, expected, -1);
  CHECK_FALSE(comparison.difference(actual));
  actual[8] = std::byte(1);
  CHECK(comparison.difference(actual) == "[2] is 0x1, and the reference has 0x0");
  std::memcpy(actual.data() + 4, &far, 4);
  CHECK(comparison.difference(actual) == "[1] is 3, and the reference has 2.5");
}

TEST_CASE("the first difference of a large array is found at its place") {
  Types types;
  const size_t rows = 1000, columns = 3000;
  std::vector<float> expected(rows * columns, 1.0F);
  for (size_t row : {size_t(0), size_t(999)})
    for (size_t column : {size_t(0), size_t(1234), size_t(2999)}) {
      std::vector<float> actual = expected;
      actual[column * rows + row] = 2;
      actual.back() = 5;
      const auto found =
          difference(types, "Float32", expected, actual, -1, {int64_t(rows), int64_t(columns)});
      REQUIRE(found);
      CHECK(found->starts_with("[" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + "] is "));
    }
  CHECK_FALSE(difference<float>(types, "Float32", {}, {}, -1, {0}));
}
