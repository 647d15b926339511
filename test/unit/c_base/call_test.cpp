// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all functions of the C API share: statuses, structures of earlier versions, shapes and time limits,
// and the walk over an error.
#include <c_base/c_base.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <new>

using namespace kiln;
using namespace kiln::c;
using Catch::Matchers::Contains;

namespace {

struct Options {
  size_t struct_size;
  int first, second, third; ///< the last came later
};

kiln_shape shape_of(double time_limit) {
  kiln_shape shape{};
  shape.struct_size = sizeof shape;
  shape.time_limit = time_limit;
  return shape;
}

} // namespace

TEST_CASE("a call's result is its status, and its error a handle that the caller frees") {
  kiln_error *error = reinterpret_cast<kiln_error *>(uintptr_t(1));
  CHECK(call(&error, [] { return Result<void>(); }) == KILN_OK);
  CHECK(error == nullptr);
  struct Row {
    Error made;
    int status;
  };
  for (const Row &row : {Row{usage_error("u"), KILN_USAGE},
                         {input_error("i"), KILN_INPUT},
                         {machine_error("m"), KILN_MACHINE},
                         {internal_error("n"), KILN_INTERNAL}}) {
    CHECK(call(&error, [&]() -> Result<void> { return row.made; }) == row.status);
    REQUIRE(error != nullptr);
    CHECK(kiln_error_status(error) == row.status);
    CHECK(std::string(kiln_error_message(error, 0)) == row.made.diagnostics()[0].message);
    kiln_error_free(error);
    CHECK(kiln_error_status(error) == KILN_OK); // freed: nothing is behind it
    CHECK(std::string(kiln_error_text(error)).empty());
    CHECK(call(nullptr, [&]() -> Result<void> { return row.made; }) == row.status);
  }
}

TEST_CASE("no exception leaves the C API") {
  kiln_error *error = nullptr;
  CHECK(call(&error, []() -> Result<void> { throw std::bad_alloc(); }) == KILN_MACHINE);
  CHECK_THAT(kiln_error_text(error), Contains("out of memory"));
  kiln_error_free(error);
  CHECK(call(&error, []() -> Result<void> { throw std::runtime_error("no such luck"); }) == KILN_INTERNAL);
  CHECK_THAT(kiln_error_text(error), Contains("no such luck"));
  kiln_error_free(error);
  CHECK(call(&error, []() -> Result<void> { throw 7; }) == KILN_INTERNAL);
  kiln_error_free(error);
}

TEST_CASE(
    "a structure of an earlier version has zeros where it ends, and one of a later version is refused") {
  Options given{.struct_size = sizeof given, .first = 1, .second = 2, .third = 3};
  CHECK(read_struct(&given, "options")->third == 3);
  given.struct_size = offsetof(Options, third);
  const Options read = *read_struct(&given, "options");
  CHECK(read.first == 1);
  CHECK(read.second == 2);
  CHECK(read.third == 0);
  given.struct_size = sizeof(size_t);
  CHECK(read_struct(&given, "options")->first == 0);
  // No structure with a size_t ends at 12: a pointer there would be cut in two.
  for (size_t size : {size_t(0), size_t(1), sizeof(size_t) - 1, size_t(12), sizeof given + 1, ~size_t(0)}) {
    given.struct_size = size;
    auto refused = read_struct(&given, "options");
    REQUIRE(!refused.ok());
    CHECK(refused.error().kind() == ErrorKind::Usage);
    CHECK_THAT(refused.error().what(), Contains("options.struct_size is " + std::to_string(size)));
  }
}

TEST_CASE("a structure that is filled keeps its size and what lies behind it") {
  Options out{.struct_size = offsetof(Options, third), .first = -1, .second = -2, .third = -3};
  REQUIRE(write_struct(&out, Options{.struct_size = 0, .first = 1, .second = 2, .third = 3}, "options").ok());
  CHECK(out.struct_size == offsetof(Options, third));
  CHECK(out.first == 1);
  CHECK(out.second == 2);
  CHECK(out.third == -3);
  Options copy{};
  out.struct_size = sizeof out;
  CHECK(*view_struct(&out, "options", copy) == &out); // not copied
  out.struct_size = offsetof(Options, third);
  CHECK(*view_struct(&out, "options", copy) == &copy);
  CHECK(copy.first == 1);
}

TEST_CASE("shapes: 0 counts as 1, and time limits are above 0 and at most 1e9 seconds") {
  kiln_shape shape = shape_of(0);
  shape.blocks[0] = 7;
  shape.threads[1] = 3;
  shape.shared_bytes = 100;
  shape.cluster[2] = 2;
  shape.cooperative = 5;
  Launch launch;
  REQUIRE(read_shape(&shape, launch).ok());
  CHECK(launch.shape.blocks == std::array<uint32_t, 3>{7, 1, 1});
  CHECK(launch.shape.threads == std::array<uint32_t, 3>{1, 3, 1});
  CHECK(launch.shape.shared_bytes == 100);
  CHECK(launch.options.cluster == std::array<uint32_t, 3>{0, 0, 2});
  CHECK(launch.options.cooperative);
  CHECK(!launch.options.programmatic_serialization);
  CHECK(launch.options.time_limit.count() == 0);
  for (auto [seconds, nanoseconds] : std::initializer_list<std::pair<double, int64_t>>{
           {0.25, 250'000'000}, {1e-9, 1}, {1e-300, 1}, {1e9, 1'000'000'000'000'000'000}}) {
    shape = shape_of(seconds);
    REQUIRE(read_shape(&shape, launch).ok());
    CHECK(launch.options.time_limit.count() == nanoseconds);
  }
  for (double seconds : {-1.0, -1e-300, 1.0000001e9, double(INFINITY), double(-INFINITY), std::nan("")}) {
    shape = shape_of(seconds);
    auto read = read_shape(&shape, launch);
    REQUIRE(!read.ok());
    CHECK(read.error().kind() == ErrorKind::Usage);
  }
}

TEST_CASE("a device's name and kind") {
  CHECK(device_or_cpu(nullptr) == "cpu");
  CHECK(device_or_cpu("opencl:3") == "opencl:3");
  CHECK(*read_device_kind(KILN_DEVICE_OPENCL) == DeviceKind::OpenCl);
  CHECK(*read_device_kind(KILN_DEVICE_CPU) == DeviceKind::Cpu);
  for (int kind : {-1, 3, 256}) CHECK(!read_device_kind(kind).ok());
}

TEST_CASE("an error's frames and notes are walked by number, and numbers too large find nothing") {
  Diagnostic d{.code = ErrorCode::SynchronizationError, .message = "stuck", .hint = "look"};
  d.stack = {{.function = "inner", .file = "a.jl", .line = 3},
             {.function = "outer", .file = "b.jl", .line = 9}};
  d.notes = {{"seen here", {}}};
  kiln_error *error = nullptr;
  CHECK(report(&error, Error(std::move(d))) == KILN_INPUT);
  CHECK(kiln_error_count(error) == 1);
  CHECK(std::string(kiln_error_kind(error, 0)) == "SynchronizationError");
  CHECK(kiln_error_code(error, 0) == unsigned(ErrorCode::SynchronizationError));
  CHECK(std::string(kiln_error_hint(error, 0)) == "look");
  CHECK(kiln_error_line(error, 0) == 0);
  CHECK(std::string(kiln_error_file(error, 0)).empty());
  REQUIRE(kiln_error_frame_count(error, 0) == 2);
  CHECK(std::string(kiln_error_frame_function(error, 0, 1)) == "outer");
  CHECK(std::string(kiln_error_frame_file(error, 0, 1)) == "b.jl");
  CHECK(kiln_error_frame_line(error, 0, 1) == 9);
  REQUIRE(kiln_error_note_count(error, 0) == 1);
  CHECK(std::string(kiln_error_note_text(error, 0, 0)) == "seen here");
  for (size_t beyond : {size_t(2), ~size_t(0)}) {
    CHECK(kiln_error_frame_line(error, 0, beyond) == 0);
    CHECK(std::string(kiln_error_note_text(error, 0, beyond)).empty());
    CHECK(kiln_error_frame_count(error, beyond) == 0);
    CHECK(std::string(kiln_error_message(error, beyond)).empty());
  }
  kiln_error_free(error);
}
