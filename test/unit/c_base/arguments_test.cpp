// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln_argument to Argument without a session: kiln/c.h says what each field means. Expected headers are
// worked out by hand.
#include <c_base/c_base.h>

#include <catch2/catch.hpp>

#include <climits>

using namespace kiln;
using namespace kiln::c;
using Catch::Matchers::Contains;

namespace {

kiln_argument argument_of(int kind, const char *type, void *data) {
  kiln_argument a{};
  a.struct_size = sizeof a;
  a.kind = kind;
  a.type = type;
  a.data = data;
  return a;
}
kiln_argument array_of(const char *type, void *data, int ndim, const int64_t *dims,
                       const int64_t *strides = nullptr) {
  kiln_argument a = argument_of(KILN_ARRAY, type, data);
  a.ndim = ndim;
  a.dims = dims;
  a.strides = strides;
  return a;
}

std::vector<uint64_t> words(const Argument &argument) {
  std::vector<uint64_t> all(argument.bytes.size() / 8);
  std::memcpy(all.data(), argument.bytes.data(), all.size() * 8);
  return all;
}
uint64_t address(const void *data) { return uint64_t(reinterpret_cast<uintptr_t>(data)); }

/// The header of one array; a fault fails the test.
std::vector<uint64_t> header(const kiln_argument &a) {
  ArgumentScratch scratch;
  auto read = scratch.read(&a, 1);
  INFO((read.ok() ? "" : read.error().what()));
  REQUIRE(read.ok());
  return words((*read)[0]);
}
std::string fault(const kiln_argument &a) {
  ArgumentScratch scratch;
  auto read = scratch.read(&a, 1);
  if (read.ok()) return "no error";
  CHECK(read.error().kind() == ErrorKind::Usage);
  return read.error().diagnostics()[0].message;
}

} // namespace

TEST_CASE("a scalar has as many bytes as its type") {
  char bytes[16] = "0123456789abcde";
  struct Row {
    const char *type;
    size_t size;
  };
  for (const Row &row : {Row{"Bool", 1},
                         {"Int8", 1},
                         {"Float16", 2},
                         {"BFloat16", 2},
                         {"UInt16", 2},
                         {"Float32", 4},
                         {"Char", 4},
                         {"Int", 8},
                         {"UInt64", 8},
                         {"Float64", 8},
                         {"Int128", 16},
                         {"ComplexF16", 4},
                         {"ComplexF32", 8},
                         {"ComplexF64", 16}}) {
    INFO(row.type);
    const kiln_argument a = argument_of(KILN_SCALAR, row.type, bytes);
    ArgumentScratch scratch;
    auto read = scratch.read(&a, 1);
    REQUIRE(read.ok());
    CHECK((*read)[0].type == row.type);
    REQUIRE((*read)[0].bytes.size() == row.size);
    CHECK(std::memcmp((*read)[0].bytes.data(), bytes, row.size) == 0);
  }
  kiln_argument own = argument_of(KILN_SCALAR, "Point", bytes);
  CHECK_THAT(fault(own), Contains("argument 1: `Point` is none of the language's number types"));
  own.size = 12;
  ArgumentScratch scratch;
  CHECK((*scratch.read(&own, 1))[0].bytes.size() == 12);
  own.size = (1 << 16) + 1;
  CHECK_THAT(fault(own), Contains("is no argument"));
}

TEST_CASE("an array's order follows from its strides") {
  float data[24];
  const int64_t dims[] = {2, 3, 4}, column[] = {1, 2, 6}, row[] = {12, 4, 1}, gap[] = {1, 2, 7},
                turned[] = {4, 1, 12};
  const std::vector<uint64_t> as_given{address(data), 96, 2, 3, 4, 24},
      reversed{address(data), 96, 4, 3, 2, 24};
  CHECK(header(array_of("Float32", data, 3, dims)) == as_given);
  CHECK(header(array_of("Float32", data, 3, dims, column)) == as_given);
  CHECK(header(array_of("Float32", data, 3, dims, row)) == reversed);
  CHECK_THAT(fault(array_of("Float32", data, 3, dims, gap)), Contains("its strides leave gaps"));
  CHECK_THAT(fault(array_of("Float32", data, 3, dims, turned)), Contains("its strides leave gaps"));
  const int64_t thin[] = {1, 24, 1}, any[] = {99, 1, -5}; // a stride of one element is never used
  CHECK(header(array_of("Float32", data, 3, thin, any)) ==
        std::vector<uint64_t>{address(data), 96, 1, 24, 1, 24});
}

TEST_CASE("an empty array leaves no gaps, whatever its strides") {
  // NumPy and PyTorch count a dimension of 0 as 1 in strides: numpy.empty((5, 0, 3)) has (3, 3, 1).
  const int64_t dims[] = {5, 0, 3}, row[] = {3, 3, 1}, column[] = {1, 5, 5}, zeros[] = {0, 0, 0};
  CHECK(header(array_of("Int64", nullptr, 3, dims, row)) == std::vector<uint64_t>{0, 0, 3, 0, 5, 0});
  CHECK(header(array_of("Int64", nullptr, 3, dims, column)) == std::vector<uint64_t>{0, 0, 5, 0, 3, 0});
  CHECK(header(array_of("Int64", nullptr, 3, dims, zeros)) == std::vector<uint64_t>{0, 0, 5, 0, 3, 0});
}

TEST_CASE("what no argument can be is refused by its number") {
  float data[4];
  const int64_t dims[] = {4}, many[33] = {};
  CHECK_THAT(fault(array_of("Float32", data, 0, dims)), Contains("argument 1: 0 dimensions"));
  CHECK_THAT(fault(array_of("Float32", data, 33, many)), Contains("33 dimensions"));
  CHECK_THAT(fault(array_of("Float32", data, 1, nullptr)), Contains("`dims` is a null pointer"));
  CHECK_THAT(fault(argument_of(KILN_SCALAR, "Int64", nullptr)), Contains("`data` is a null pointer"));
  CHECK_THAT(fault(argument_of(99, "Int64", data)), Contains("there is no kind 99"));
  kiln_argument by_number = array_of(nullptr, data, 1, dims);
  by_number.dtype = {.code = 2, .bits = 32, .lanes = 1};
  CHECK(header(by_number) == std::vector<uint64_t>{address(data), 16, 4, 4});
  by_number.dtype.bits = 33;
  CHECK_THAT(fault(by_number), Contains("33 bits"));
  kiln_argument two[] = {argument_of(KILN_SCALAR, "Float32", data),
                         argument_of(KILN_SCALAR, "Nothing", data)};
  ArgumentScratch scratch;
  CHECK_THAT(scratch.read(two, 2).error().what(), Contains("argument 2"));
  CHECK(scratch.read(nullptr, 0)->empty());
  CHECK(!scratch.read(nullptr, 1).ok());
  CHECK(!scratch.read(two, 100'001).ok());
}

TEST_CASE("a reader who knows the language says why a type is none") {
  int value = 0;
  const kiln_argument a = argument_of(KILN_SCALAR, "Pont", &value);
  const std::function<std::string(std::string_view)> explain = [](std::string_view type) {
    return type == "Pont" ? "do you mean Point?" : "";
  };
  ArgumentScratch scratch;
  CHECK_THAT(scratch.read(&a, 1, &explain).error().what(),
             Contains("there is no type `Pont`: do you mean Point?"));
}

TEST_CASE("arguments of an earlier version lie closer together") {
  struct Earlier { // without the strides
    size_t struct_size;
    int kind;
    const char *type;
    kiln_dtype dtype;
    void *data;
    size_t size;
    int ndim;
    const int64_t *dims;
  };
  static_assert(sizeof(Earlier) < sizeof(kiln_argument));
  float data[6];
  int64_t seven = 7;
  const int64_t dims[] = {2, 3};
  const Earlier given[] = {{sizeof(Earlier), KILN_ARRAY, "Float32", {}, data, 0, 2, dims},
                           {sizeof(Earlier), KILN_SCALAR, "Int64", {}, &seven, 0, 0, nullptr}};
  ArgumentScratch scratch;
  auto read = scratch.read(reinterpret_cast<const kiln_argument *>(given), 2);
  REQUIRE(read.ok());
  CHECK(words((*read)[0]) == std::vector<uint64_t>{address(data), 24, 2, 3, 6});
  CHECK(words((*read)[1]) == std::vector<uint64_t>{7});
}

TEST_CASE("a launch within a launch has arguments of its own") {
  int64_t outer_value = 1, inner_value = 2;
  const kiln_argument outer = argument_of(KILN_SCALAR, "Int64", &outer_value),
                      inner = argument_of(KILN_SCALAR, "Int64", &inner_value);
  ArgumentScratch first;
  auto read = first.read(&outer, 1);
  {
    ArgumentScratch second;
    CHECK(words((*second.read(&inner, 1))[0]) == std::vector<uint64_t>{2});
  }
  CHECK(words((*read)[0]) == std::vector<uint64_t>{1});
}
