// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches: the bytes of arrays (fields of CUDA.jl's CuDeviceArray: ptr, maxsize, dims, len),
// arrays of other libraries (DLPack's types and strides), and arrays that no memory can be.
#include "must.h"

#include <devices/devices.h>

#include <kiln/device_name.h>
#include <kiln/foreign.h>
#include <kiln/runtime.h>

#include <climits>
#include <random>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::must;

namespace {

std::vector<uint64_t> words(const Argument &argument) {
  REQUIRE(argument.bytes.size() % 8 == 0);
  std::vector<uint64_t> all(argument.bytes.size() / 8);
  std::memcpy(all.data(), argument.bytes.data(), argument.bytes.size());
  return all;
}
uint64_t address(const void *data) { return uint64_t(reinterpret_cast<uintptr_t>(data)); }

/// A kernel of one array, as launches know it.
struct OneArray {
  explicit OneArray(uint32_t rank, uint64_t element_bytes) {
    artifact.parameters = {{.argument = 2, .size = 8 * (rank + 3), .align = 8}};
    parts = {{.parameter = 0, .is_array = true, .offset = 0, .rank = rank, .element_bytes = element_bytes}};
  }
  /// Empty: the array is right.
  std::string fault(std::vector<uint64_t> header) const {
    const void *argument = header.data();
    auto checked = check_arguments("f(x)", artifact, parts, std::span(&argument, 1));
    if (checked.ok()) return {};
    CHECK(checked.error().kind() == ErrorKind::Usage);
    return checked.error().diagnostics()[0].message;
  }
  Artifact artifact;
  std::vector<MemoryPart> parts;
};

struct OnCpu {
  std::shared_ptr<SessionRuntime> runtime =
      std::make_shared<SessionRuntime>(ExecutorOptions{.threads = 2}, nullptr, nullptr);
  std::unique_ptr<Runtime> owner = must(Runtime::open({.cpu_threads = 2}));
  Device cpu = owner->cpu();
};

dlpack::Tensor tensor(void *data, std::vector<int64_t> &shape, int64_t *strides, uint8_t code, uint8_t bits) {
  return {.data = data,
          .device = {1, 0},
          .ndim = int32_t(shape.size()),
          .dtype = {code, bits, 1},
          .shape = shape.data(),
          .strides = strides,
          .byte_offset = 0};
}

} // namespace

TEST_CASE("names of devices") {
  CHECK(must(read_device_name("cpu")) == DeviceName{DeviceKind::Cpu, 0});
  CHECK(must(read_device_name("cuda")) == DeviceName{DeviceKind::Cuda, 0});
  CHECK(must(read_device_name("cuda:17")) == DeviceName{DeviceKind::Cuda, 17});
  CHECK(must(read_device_name("opencl")) == DeviceName{DeviceKind::OpenCl, 0});
  CHECK(must(read_device_name("opencl:2")) == DeviceName{DeviceKind::OpenCl, 2});
  CHECK(text_of({DeviceKind::Cpu, 0}) == "cpu");
  CHECK(text_of({DeviceKind::Cuda, 0}) == "cuda:0");
  CHECK(text_of({DeviceKind::OpenCl, 3}) == "opencl:3");
  for (const char *name :
       {"", "CPU", "cpu:0", "gpu", "cuda:", "cuda:-1", "cuda: 1", "cuda:1 ", "cuda:1x", "cuda1",
        "cuda:99999999999999999999", "cuda:+1", "opencl:", "opencl:-1", "opencl1", "openclx", "OpenCL"}) {
    INFO(name);
    auto found = read_device_name(name);
    REQUIRE(!found.ok());
    CHECK(found.error().kind() == ErrorKind::Usage);
    CHECK_THAT(found.error().what(), Contains(std::string("`") + name + "`"));
  }
}

TEST_CASE("an array's bytes are pointer, size, dimensions and length") {
  double data[6];
  const Argument matrix = Argument::array(data, {2, 3});
  CHECK(matrix.type == "CuDeviceArray{Float64, 2, 1}");
  CHECK(words(matrix) == std::vector<uint64_t>{address(data), 48, 2, 3, 6});
  const Argument empty = Argument::array(data, {2, 0});
  CHECK(words(empty) == std::vector<uint64_t>{address(data), 0, 2, 0, 0});
  Argument again = Argument::array_of("Point", data, {4}, 12);
  CHECK(again.type == "CuDeviceArray{Point, 1, 1}");
  CHECK(words(again) == std::vector<uint64_t>{address(data), 48, 4, 4});
  const int64_t dims[] = {1, 2, 3, 4};
  again.set_array("UInt8", nullptr, dims, 1); // in the same memory
  CHECK(again.type == "CuDeviceArray{UInt8, 4, 1}");
  CHECK(words(again) == std::vector<uint64_t>{0, 24, 1, 2, 3, 4, 24});
}

TEST_CASE("DLPack's types of elements in the language") {
  struct Row {
    uint8_t code, bits;
    const char *type; ///< "": there is none
  };
  for (const Row &row : {Row{0, 8, "Int8"},
                         {0, 64, "Int64"},
                         {0, 128, "Int128"},
                         {0, 4, ""},
                         {1, 16, "UInt16"},
                         {2, 16, "Float16"},
                         {2, 32, "Float32"},
                         {2, 64, "Float64"},
                         {2, 128, ""},
                         {2, 8, ""},
                         {3, 64, ""},
                         {4, 16, "BFloat16"},
                         {4, 32, ""},
                         {5, 64, "Complex{Float32}"},
                         {5, 128, "Complex{Float64}"},
                         {6, 8, "Bool"},
                         {6, 1, ""},
                         {7, 8, ""},
                         {255, 8, ""}}) {
    INFO(int(row.code) << " " << int(row.bits));
    auto type = language_type({row.code, row.bits, 1});
    if (*row.type)
      CHECK(must(std::move(type)) == row.type);
    else
      CHECK(type.error().kind() == ErrorKind::Usage);
  }
  CHECK(!language_type({2, 32, 4}).ok()); // float4
}

TEST_CASE("a tensor is an array where its strides are compact in the order that is asked for") {
  OnCpu on;
  float data[24];
  std::vector<int64_t> shape{2, 3, 4}, vector{24}, none, empty{2, 0, 4};
  int64_t column[] = {1, 2, 6}, row[] = {12, 4, 1}, gap[] = {1, 2, 8};
  const auto of = [&](std::vector<int64_t> &dims, int64_t *strides, bool reverse) {
    return argument_of(tensor(data, dims, strides, 2, 32), on.cpu, {.reverse_dimensions = reverse});
  };
  CHECK(words(must(of(shape, column, false))) == std::vector<uint64_t>{address(data), 96, 2, 3, 4, 24});
  CHECK(words(must(of(shape, row, true))) == std::vector<uint64_t>{address(data), 96, 4, 3, 2, 24});
  CHECK(words(must(of(shape, nullptr, true))) == std::vector<uint64_t>{address(data), 96, 4, 3, 2, 24});
  CHECK(words(must(of(vector, nullptr, false))) == std::vector<uint64_t>{address(data), 96, 24, 24});
  for (auto &wrong : {of(shape, row, false), of(shape, nullptr, false), of(shape, column, true),
                      of(shape, gap, false), of(shape, gap, true), of(none, nullptr, false)}) {
    REQUIRE(!wrong.ok());
    CHECK(wrong.error().kind() == ErrorKind::Usage);
  }
  CHECK(words(must(of(empty, row, false))).back() == 0); // no element: every order is right
  dlpack::Tensor far = tensor(data, vector, nullptr, 2, 32);
  far.byte_offset = 8;
  CHECK(words(must(argument_of(far, on.cpu)))[0] == address(data) + 8);
  far.device = {2, 1};
  CHECK_THAT(argument_of(far, on.cpu).error().what(), Contains("GPU 1") && Contains("the CPU"));
  CHECK(argument_of(far, Device()).error().kind() == ErrorKind::Usage);
  std::vector<int64_t> negative{-1, 4}, huge{INT64_MAX, 2};
  CHECK(!of(negative, nullptr, true).ok());
  CHECK_THAT(of(huge, nullptr, true).error().what(), Contains("more bytes than there are"));
  CHECK(argument_of(CudaArrayInterface{.shape = vector, .typestr = "<f4", .data = data}, on.cpu)
            .error()
            .kind() == ErrorKind::Usage); // it is for GPUs
}

TEST_CASE("arrays that no memory can be are refused, with what is wrong") {
  const OneArray matrix(2, 4);
  CHECK(matrix.fault({16, 24, 2, 3, 6}).empty());
  CHECK(matrix.fault({16, 100, 2, 3, 6}).empty()); // more memory than elements
  CHECK(matrix.fault({0, 0, 0, 3, 0}).empty());    // nothing, nowhere
  CHECK(matrix.fault({0, 0, uint64_t(INT64_MAX), 0, 0}).empty());
  CHECK_THAT(matrix.fault({0, 24, 2, 3, 6}), Contains("argument 2 of f(x)") && Contains("null pointer"));
  CHECK_THAT(matrix.fault({16, 23, 2, 3, 6}), Contains("2x3 elements of 4 bytes in memory of 23 bytes"));
  CHECK_THAT(matrix.fault({16, 24, 2, 3, 5}), Contains("whose length says 5"));
  CHECK_THAT(matrix.fault({16, 24, uint64_t(-2), 3, 6}), Contains("-2x3") && Contains("negative"));
  CHECK_THAT(matrix.fault({16, 24, uint64_t(INT64_MIN), uint64_t(-1), 6}), Contains("negative"));
  CHECK_THAT(matrix.fault({16, ~uint64_t(0), uint64_t(1) << 62, 2, uint64_t(1) << 63}),
             Contains("more bytes than there are"));
  CHECK_THAT(matrix.fault({16, 0, uint64_t(1) << 32, uint64_t(1) << 32, 0}),
             Contains("more bytes than there are"));
}

TEST_CASE("the number of arguments, and null pointers among them") {
  Artifact artifact;
  artifact.parameters = {{.argument = 1, .size = 4, .align = 4}, {.argument = 3, .size = 8, .align = 8}};
  const int value = 0;
  const void *both[] = {&value, nullptr};
  CHECK_THAT(check_arguments("f", artifact, {}, std::span(both, 1)).error().what(),
             Contains("f takes 2") && Contains("got 1"));
  CHECK_THAT(check_arguments("f", artifact, {}, both).error().what(),
             Contains("argument 2 of f is a null pointer") && Contains("8 bytes"));
  both[1] = &value;
  CHECK(check_arguments("f", artifact, {}, both).ok());
  CHECK(check_arguments("f", {}, {}, {}).ok());
}

TEST_CASE("memory is apart where no byte is reached twice") {
  const auto apart = [](std::vector<MemoryRange> ranges) { return are_apart({std::move(ranges), false}); };
  CHECK(apart({}));
  CHECK(apart({{100, 10, 1}, {110, 10, 2}}));
  CHECK(!apart({{100, 11, 1}, {110, 10, 2}}));
  CHECK(!apart({{110, 10, 1}, {100, 11, 2}}));
  CHECK(!apart({{100, 100, 1}, {120, 1, 2}, {150, 10, 3}})); // one within another
  CHECK(apart({{100, 10, 1}, {105, 0, 2}}));                 // an empty one reaches nothing
  CHECK(apart({{0, 0, 1}, {0, 0, 2}}));
  CHECK(!are_apart({{}, true})); // a bare pointer leads anywhere
  std::mt19937 random(1);
  for (int round = 0; round < 2000; round++) {
    std::vector<MemoryRange> ranges;
    std::array<int, 64> touched{};
    bool wanted = true;
    for (uint32_t i = 0; i < 1 + random() % 5; i++) {
      const uintptr_t begin = random() % 40;
      const uint64_t bytes = random() % 10;
      ranges.push_back({begin, bytes, i});
      for (uint64_t b = 0; b < bytes; b++) wanted &= touched[begin + b]++ == 0;
    }
    REQUIRE(apart(ranges) == wanted);
  }
}
