// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/runtime_c.h and the functions of kiln/c.h that need no session, on the CPU.
#include <c_base/c_base.h>

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>
#include <string>

using Catch::Matchers::Contains;

namespace {

struct Runtime {
  kiln_runtime *runtime = nullptr;
  kiln_device *device = nullptr;
  kiln_stream *stream = nullptr;
  kiln_error *error = nullptr;
  Runtime() {
    kiln_runtime_options options{};
    options.struct_size = sizeof options;
    options.cpu_threads = 1;
    REQUIRE(kiln_runtime_open(&options, &runtime, &error) == KILN_OK);
    REQUIRE(kiln_runtime_device(runtime, "cpu", &device, &error) == KILN_OK);
    REQUIRE(kiln_runtime_stream(runtime, device, &stream, &error) == KILN_OK);
  }
  ~Runtime() {
    kiln_stream_free(stream);
    kiln_device_free(device);
    kiln_runtime_close(runtime);
  }
  /// What the last error said.
  std::string told() {
    std::string text = kiln_error_text(error);
    kiln_error_free(error);
    error = nullptr;
    return text;
  }
};

} // namespace

TEST_CASE_METHOD(Runtime, "streams copy and fill in order, and events mark moments") {
  uint8_t from[64], to[64] = {};
  kiln_event *begin = nullptr, *end = nullptr;
  REQUIRE(kiln_event_create(&begin, &error) == KILN_OK);
  REQUIRE(kiln_event_create(&end, &error) == KILN_OK);
  double seconds = -1;
  CHECK(kiln_event_seconds(begin, end, &seconds, &error) == KILN_USAGE); // neither was recorded
  told();
  CHECK(kiln_stream_record(stream, begin, &error) == KILN_OK);
  CHECK(kiln_stream_fill(stream, from, 5, sizeof from, &error) == KILN_OK);
  CHECK(kiln_stream_copy(stream, to, from, 32, &error) == KILN_OK);
  CHECK(kiln_stream_record(stream, end, &error) == KILN_OK);
  CHECK(kiln_stream_synchronize(stream, &error) == KILN_OK);
  CHECK(to[31] == 5);
  CHECK(to[32] == 0);
  CHECK(kiln_stream_idle(stream) == 1);
  CHECK(kiln_event_done(end) == 1);
  CHECK(kiln_event_seconds(begin, end, &seconds, &error) == KILN_OK);
  CHECK(seconds >= 0);
  CHECK(kiln_stream_copy(stream, nullptr, from, 1, &error) == KILN_USAGE);
  told();
  kiln_event_free(begin);
  kiln_event_free(end);
}

TEST_CASE_METHOD(Runtime, "a buffer outlives stream, device and runtime") {
  kiln_buffer *buffer = nullptr;
  REQUIRE(kiln_stream_allocate(stream, 100, &buffer, &error) == KILN_OK);
  CHECK(kiln_buffer_bytes(buffer) == 100);
  kiln_stream_free(stream);
  kiln_device_free(device);
  kiln_runtime_close(runtime);
  std::memset(kiln_buffer_data(buffer), 1, 100);
  kiln_buffer_free(buffer);
  CHECK(kiln_buffer_bytes(buffer) == 0);
  CHECK(kiln_buffer_data(buffer) == nullptr);
}

TEST_CASE_METHOD(Runtime, "an out parameter is null where nothing is given, and must be there") {
  kiln_device *none = device;
  CHECK(kiln_runtime_device(runtime, "nonsense", &none, &error) == KILN_USAGE);
  CHECK(none == nullptr);
  CHECK_THAT(told(), Contains("`nonsense`"));
  CHECK(kiln_runtime_device(runtime, "cpu", nullptr, &error) == KILN_USAGE);
  CHECK_THAT(told(), Contains("kiln_runtime_device: `out` is a null pointer"));
  kiln_stream *wrong = stream;
  CHECK(kiln_runtime_stream(runtime, nullptr, &wrong, &error) == KILN_USAGE);
  CHECK(wrong == nullptr);
  CHECK_THAT(told(), Contains("the kiln_device is null"));
  CHECK(kiln_runtime_device_in_context(runtime, nullptr, &none, &error) == KILN_USAGE);
  CHECK_THAT(told(), Contains("`cuda_context` is a null pointer"));
}

TEST_CASE_METHOD(Runtime, "what is asked of a handle that is none is nothing") {
  kiln_stream_free(stream);
  CHECK(kiln_stream_idle(stream) == 0);
  CHECK(kiln_stream_native(stream) == nullptr);
  CHECK(kiln_stream_synchronize(stream, &error) == KILN_USAGE);
  CHECK_THAT(told(), Contains("the kiln_stream was freed"));
  CHECK(std::string(kiln_device_name(nullptr)).empty());
  CHECK(kiln_device_is_gpu(nullptr) == 0);
  CHECK(kiln_bundle_count(nullptr) == 0);
  CHECK(std::string(kiln_bundle_kernel_name(nullptr, 0)).empty());
  CHECK(kiln_device_synchronize(reinterpret_cast<kiln_device *>(runtime), &error) == KILN_USAGE);
  CHECK_THAT(told(), Contains("a kiln_runtime where a kiln_device is wanted"));
}

TEST_CASE_METHOD(Runtime, "an array's header, and what has none") {
  double data[6];
  const int64_t dims[] = {2, 3}, negative[] = {-1, 3}, huge[] = {INT64_MAX, 2}, empty[] = {INT64_MAX, 0};
  uint64_t words[5] = {};
  CHECK(kiln_array_header(words, sizeof words, data, 8, 2, dims, &error) == KILN_OK);
  CHECK(words[0] == uint64_t(reinterpret_cast<uintptr_t>(data)));
  CHECK((words[1] == 48 && words[2] == 2 && words[3] == 3 && words[4] == 6));
  CHECK(kiln_array_header(words, sizeof words, nullptr, 8, 2, empty, &error) == KILN_OK);
  CHECK(words[4] == 0);
  for (int status : {kiln_array_header(words, sizeof words - 1, data, 8, 2, dims, nullptr),
                     kiln_array_header(words, sizeof words, data, 8, 2, negative, nullptr),
                     kiln_array_header(words, sizeof words, data, 8, 2, huge, nullptr),
                     kiln_array_header(words, sizeof words, data, ~size_t(0), 1, dims, nullptr),
                     kiln_array_header(words, sizeof words, data, 0, 2, dims, nullptr),
                     kiln_array_header(words, sizeof words, data, 8, 0, dims, nullptr),
                     kiln_array_header(words, 1000, data, 8, 33, dims, nullptr),
                     kiln_array_header(nullptr, 40, data, 8, 2, dims, nullptr),
                     kiln_array_header(words, 40, data, 8, 2, nullptr, nullptr)})
    CHECK(status == KILN_USAGE);
}

TEST_CASE("a device without a name is the CPU, and options of a later version are refused") {
  kiln_runtime_options options{};
  options.struct_size = sizeof options;
  options.cpu_threads = 1;
  kiln_runtime *runtime = nullptr;
  kiln_device *device = nullptr;
  REQUIRE(kiln_runtime_open(&options, &runtime, nullptr) == KILN_OK);
  REQUIRE(kiln_runtime_device(runtime, nullptr, &device, nullptr) == KILN_OK);
  CHECK(kiln_device_is_gpu(device) == 0);
  CHECK(kiln_device_compute_capability(device) == 0);
  CHECK(!std::string(kiln_device_name(device)).empty());
  kiln_device_free(device);
  kiln_runtime_close(runtime);
  options.struct_size = sizeof options + 8;
  CHECK(kiln_runtime_open(&options, &runtime, nullptr) == KILN_USAGE);
  CHECK(runtime == nullptr);
}
