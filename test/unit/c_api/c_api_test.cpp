// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C API adds to the C++ one: handles that are wrong in every way, structures of other sizes,
// strings, statuses.
#include "open.h"

#include <kiln/c_cache.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace c_api_test {

using Open = kiln::test::OpenSession;
using kiln::test::told;

namespace {

const char scale[] = R"(
using CUDA
function scale(y, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] *= a
    end
    return
end
)";

template <class Handle> Handle *number(uint64_t value) { return reinterpret_cast<Handle *>(value); }

} // namespace

TEST_CASE("a handle that is null, freed, foreign or of another kind is told, and never followed") {
  Open open;
  kiln_error *error = nullptr;
  CHECK(kiln_load(nullptr, "x", "", 0, &error) == KILN_USAGE);
  CHECK(told(error).find("the kiln_session is null") != std::string::npos);

  kiln_event *event = nullptr;
  REQUIRE(kiln_event_create(&event, &error) == KILN_OK);
  CHECK(kiln_load(reinterpret_cast<kiln_session *>(event), "x", "", 0, &error) == KILN_USAGE);
  CHECK(told(error).find("a kiln_event where a kiln_session is wanted") != std::string::npos);
  kiln_event_free(event);
  kiln_event_free(event); // once more: nothing
  CHECK(kiln_event_wait(event, &error) == KILN_USAGE);
  CHECK(told(error).find("was freed, or never came from Kiln") != std::string::npos);

  // The freed one's place is given out again: the old handle stays wrong.
  kiln_event *next = nullptr;
  REQUIRE(kiln_event_create(&next, &error) == KILN_OK);
  CHECK(next != event);
  CHECK(kiln_event_done(event) == 0);
  CHECK(kiln_event_done(next) == 1);
  kiln_event_free(next);

  int here = 0;
  for (uint64_t value :
       {uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(0xffff), ~uint64_t(0), uint64_t(0x7fffffffffffffff),
        uint64_t(reinterpret_cast<uintptr_t>(&here)), uint64_t(reinterpret_cast<uintptr_t>(&here)) + 1}) {
    CHECK(kiln_load(number<kiln_session>(value), "x", "", 0, nullptr) == KILN_USAGE);
    CHECK(kiln_error_count(number<kiln_error>(value)) == 0);
    CHECK(std::string(kiln_error_text(number<kiln_error>(value))).empty());
    CHECK(kiln_artifact_data(number<kiln_artifact>(value), nullptr) == nullptr);
    CHECK(kiln_buffer_data(number<kiln_buffer>(value)) == nullptr);
    CHECK(kiln_device_is_gpu(number<kiln_device>(value)) == 0);
    CHECK(kiln_stream_idle(number<kiln_stream>(value)) == 0);
    kiln_session_close(number<kiln_session>(value));
    kiln_error_free(number<kiln_error>(value));
    kiln_artifact_free(number<kiln_artifact>(value));
    kiln_device_free(number<kiln_device>(value));
    kiln_kernel_free(number<kiln_kernel>(value));
    kiln_stream_free(number<kiln_stream>(value));
    kiln_event_free(number<kiln_event>(value));
    kiln_buffer_free(number<kiln_buffer>(value));
    kiln_graph_free(number<kiln_graph>(value));
  }
}

TEST_CASE("structures of another size: smaller ones of earlier versions are taken, impossible ones refused") {
  kiln_error *error = nullptr;
  kiln_session *session = nullptr;
  kiln_session_options options{};
  // The last but two ends within a pointer.
  for (size_t size : {size_t(0), size_t(7), offsetof(kiln_session_options, dump_dir) + 4, sizeof options + 1,
                      size_t(1) << 60}) {
    options.struct_size = size;
    CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
    CHECK(session == nullptr);
    CHECK(told(error).find("kiln_session_options.struct_size is " + std::to_string(size)) !=
          std::string::npos);
  }
  // Nothing behind its end is read: what stands there here would be refused.
  options.struct_size = offsetof(kiln_session_options, check_cache);
  options.verbosity = 99;
  options.cache_dir = "";
  REQUIRE(kiln_session_open(&options, &session, &error) == KILN_OK);
  kiln_counters counters;
  std::memset(&counters, 0x55, sizeof counters);
  counters.struct_size = offsetof(kiln_counters, waits);
  REQUIRE(kiln_session_counters(session, &counters, &error) == KILN_OK);
  CHECK(counters.compiled == 0);
  CHECK(counters.struct_size == offsetof(kiln_counters, waits));
  CHECK(counters.waits == 0x5555555555555555); // not written
  kiln_session_close(session);
}

TEST_CASE("options are told by name and place") {
  Open open;
  REQUIRE(open.load(scale) == KILN_OK);
  kiln_error *error = nullptr;
  kiln_artifact *artifact = nullptr;
  const char *call = "scale(CuDeviceVector{Float32,1}, Float32)";
  REQUIRE(kiln_compile(open.session, call, R"({"target": "ptx", "arch": "sm_90a", "g": 0})", nullptr,
                       &artifact, &error) == KILN_OK);
  size_t size = 0;
  std::string text = static_cast<const char *>(kiln_artifact_data(artifact, &size));
  CHECK(text.size() == size);
  CHECK(text.find(".target sm_90a") != std::string::npos);
  CHECK(text.find(std::string(".entry ") + kiln_artifact_entry(artifact)) != std::string::npos);
  REQUIRE(kiln_artifact_parameter_count(artifact) == 2);
  CHECK(kiln_artifact_parameter_size(artifact, 0) == 32); // pointer, bytes, one dimension, length
  CHECK(kiln_artifact_parameter_size(artifact, 1) == 4);
  CHECK(kiln_artifact_parameter_alignment(artifact, 1) == 4);
  CHECK(kiln_artifact_parameter_size(artifact, 2) == 0);
  kiln_resources resources{};
  resources.struct_size = sizeof resources;
  CHECK(kiln_artifact_resources(artifact, &resources, &error) == KILN_USAGE);
  CHECK(told(error).find("cubin") != std::string::npos);
  kiln_artifact_free(artifact);

  auto refused = [&](const char *json, const char *product, int status, const std::string &why) {
    INFO(json);
    CHECK(kiln_compile(open.session, call, json, product, &artifact, &error) == status);
    CHECK(artifact == nullptr);
    std::string said = told(error);
    INFO(said);
    CHECK(said.find(why) != std::string::npos);
  };
  refused("{", "asm", KILN_INPUT, "options:1:2");
  refused("[1]", "asm", KILN_INPUT, "an object of JSON, not a list");
  refused(R"({"O": 7})", "asm", KILN_INPUT, "\"O\" takes a whole number from 0 to 3");
  refused(R"({"O": true, "fastmath": 1})", "asm", KILN_INPUT,
          "\"fastmath\" takes true or false, not a number");
  refused(R"({"wings": 2})", "asm", KILN_INPUT, "there is no option \"wings\"");
  refused(R"({"maxthreads": 4})", "asm", KILN_INPUT, "\"maxthreads\" is for the target ptx, not native");
  refused(R"({"target": "ptx", "arch": "gfx90a"})", "asm", KILN_INPUT, "sm_90");
  refused(R"({"target": "riscv"})", "asm", KILN_INPUT, "riscv");
  refused(R"({"target": "ptx", "link": "/nowhere/at.all"})", "asm", KILN_INPUT, "/nowhere/at.all");
  refused(nullptr, "soup", KILN_USAGE, "not `soup`");
  CHECK(kiln_compile(open.session, nullptr, nullptr, nullptr, &artifact, &error) == KILN_USAGE);
  kiln_error_free(error);
  CHECK(kiln_compile(open.session, call, nullptr, nullptr, nullptr, &error) == KILN_USAGE);
  kiln_error_free(error);
}

TEST_CASE("arguments: arrays by language type and by DLPack's, scalars, buffers; and what they cannot be") {
  Open open;
  REQUIRE(open.load(scale) == KILN_OK);
  const unsigned one[3] = {1, 1, 1}, threads[3] = {8, 1, 1};
  float y[8] = {1, 2, 3, 4, 5, 6, 7, 8}, a = 3;
  int64_t n = 8;
  kiln_argument arguments[2] = {};
  arguments[0].struct_size = arguments[1].struct_size = sizeof(kiln_argument);
  arguments[0].kind = KILN_ARRAY;
  arguments[0].dtype = {2, 32, 1};
  arguments[0].data = y;
  arguments[0].ndim = 1;
  arguments[0].dims = &n;
  arguments[1].type = "Float32";
  arguments[1].data = &a;
  kiln_error *error = nullptr;
  auto launch = [&] { return kiln_launch(open.session, "cpu", "scale", one, threads, arguments, 2, &error); };
  REQUIRE(launch() == KILN_OK);
  for (int i = 0; i < 8; i++) CHECK(y[i] == float(3 * (i + 1)));

  auto refused = [&](const std::string &why) {
    INFO(why);
    CHECK(launch() == KILN_USAGE);
    std::string said = told(error);
    INFO(said);
    CHECK(said.find(why) != std::string::npos);
  };
  arguments[0].kind = 9;
  refused("argument 1: there is no kind 9");
  arguments[0].kind = KILN_ARRAY;
  arguments[0].ndim = 0;
  refused("argument 1: 0 dimensions");
  arguments[0].ndim = 1;
  arguments[0].dims = nullptr;
  refused("argument 1: `dims` is a null pointer");
  arguments[0].dims = &n;
  int64_t stride = 2;
  arguments[0].strides = &stride;
  refused("argument 1: its strides leave gaps");
  arguments[0].strides = nullptr;
  arguments[0].dtype.code = 77;
  refused("argument 1: the language has no type");
  arguments[0].dtype = {2, 32, 0};
  refused("argument 1: the language has no type for DLPack's elements of code 2, 32 bits and 0 lanes");
  arguments[0].dtype = {2, 32, 1};
  arguments[0].type = "Floot32";
  refused("argument 1: there is no type `Floot32`: ");
  arguments[0].type = "scale";
  refused("argument 1: there is no type `scale`: ");
  arguments[0].type = "Complex{Float32}"; // is one, whose size is not known here
  refused(
      "argument 1: `Complex{Float32}` is none of the language's number types: where the program defines it, set `size`");
  arguments[0].type = nullptr;
  arguments[1].data = nullptr;
  refused("argument 2: `data` is a null pointer");
  arguments[1].data = &a;
  arguments[1].type = "Mystery";
  refused("argument 2: there is no type `Mystery`: ");
  arguments[1].type = "Float32";
  arguments[1].struct_size = 3;
  refused("kiln_argument.struct_size is 3");
  arguments[1].struct_size = sizeof(kiln_argument);

  kiln_device *cpu = nullptr;
  kiln_stream *stream = nullptr;
  kiln_buffer *buffer = nullptr;
  REQUIRE(kiln_device_open(open.session, "cpu", &cpu, &error) == KILN_OK);
  REQUIRE(kiln_stream_open(open.session, cpu, &stream, &error) == KILN_OK);
  REQUIRE(kiln_stream_allocate(stream, sizeof y, &buffer, &error) == KILN_OK);
  REQUIRE(kiln_stream_copy(stream, kiln_buffer_data(buffer), y, sizeof y, &error) == KILN_OK);
  arguments[0].kind = KILN_BUFFER;
  arguments[0].data = buffer;
  kiln_launch_options options{};
  options.struct_size = sizeof options;
  options.function = "scale";
  options.threads[0] = 8;
  options.arguments = arguments;
  options.count = 2;
  options.stream = stream;
  REQUIRE(kiln_launch_ex(open.session, &options, &error) == KILN_OK);
  REQUIRE(kiln_stream_copy(stream, y, kiln_buffer_data(buffer), sizeof y, &error) == KILN_OK);
  REQUIRE(kiln_stream_synchronize(stream, &error) == KILN_OK);
  for (int i = 0; i < 8; i++) CHECK(y[i] == float(9 * (i + 1)));
  n = 9;
  refused("argument 1: the array is larger than its buffer");
  kiln_buffer_free(buffer);
  n = 8;
  refused("the kiln_buffer was freed");
  kiln_stream_free(stream);
  kiln_device_free(cpu);

  CHECK(kiln_launch(open.session, "toaster", "scale", one, threads, nullptr, 0, &error) == KILN_USAGE);
  CHECK(told(error).find("no device is named `toaster`") != std::string::npos);
  CHECK(kiln_launch(open.session, "cpu", "scale", nullptr, threads, nullptr, 0, &error) == KILN_USAGE);
  kiln_error_free(error);
  CHECK(kiln_launch(open.session, "cpu", "scale", one, threads, nullptr, 2, &error) == KILN_USAGE);
  kiln_error_free(error);
}

TEST_CASE("row-major arrays come with their dimensions reversed") {
  Open open;
  open.load(
      "function fill(y)\n for j in 1:size(y, 2), i in 1:size(y, 1)\n y[i, j] = 10i + j\n end\n return\nend\n");
  const unsigned one[3] = {1, 1, 1};
  int32_t rows[2][3] = {};
  int64_t dims[2] = {2, 3}, strides[2] = {3, 1};
  kiln_argument argument{};
  argument.struct_size = sizeof argument;
  argument.kind = KILN_ARRAY;
  argument.type = "Int32";
  argument.data = rows;
  argument.ndim = 2;
  argument.dims = dims;
  argument.strides = strides;
  kiln_error *error = nullptr;
  int status = kiln_launch(open.session, nullptr, "fill", one, one, &argument, 1, &error);
  INFO(kiln_error_text(error));
  REQUIRE(status == KILN_OK);
  for (int r = 0; r < 2; r++)
    for (int c = 0; c < 3; c++)
      CHECK(rows[r][c] == 10 * (c + 1) + (r + 1)); // y[i, j] is the row-major a[j - 1][i - 1]
}

TEST_CASE(
    "a prepared kernel is launched through its handle; an exception is the stream's error, with its place") {
  Open open;
  REQUIRE(open.load("function at(y, i)\n    y[i] = 1\n    return\nend\n") == KILN_OK);
  kiln_error *error = nullptr;
  kiln_device *cpu = nullptr;
  kiln_kernel *kernel = nullptr;
  kiln_stream *stream = nullptr;
  REQUIRE(kiln_device_open(open.session, "cpu", &cpu, &error) == KILN_OK);
  REQUIRE(kiln_prepare(open.session, "at(CuDeviceVector{Int64,1}, Int64)", nullptr, cpu, &kernel, &error) ==
          KILN_OK);
  REQUIRE(kiln_stream_open(open.session, cpu, &stream, &error) == KILN_OK);
  int64_t y[4] = {}, n = 4, i = 2, header[4];
  REQUIRE(kiln_array_header(header, sizeof header, y, sizeof *y, 1, &n, &error) == KILN_OK);
  CHECK(header[1] == 32);
  CHECK(header[2] == 4);
  CHECK(header[3] == 4);
  CHECK(kiln_array_header(header, 31, y, sizeof *y, 1, &n, &error) == KILN_USAGE);
  kiln_error_free(error);
  int64_t large[5];
  const int64_t negative[] = {2, -1}, too_many[] = {int64_t(1) << 40, int64_t(1) << 21},
                empty[] = {INT64_MAX, 0};
  CHECK(kiln_array_header(large, sizeof large, y, 8, 2, negative, &error) == KILN_USAGE);
  CHECK(told(error).find("dims[1] is -1") != std::string::npos);
  CHECK(kiln_array_header(large, sizeof large, y, 8, 2, too_many, &error) == KILN_USAGE);
  CHECK(told(error).find("more bytes than there are") != std::string::npos);
  CHECK(kiln_array_header(large, sizeof large, y, SIZE_MAX, 1, &n, nullptr) == KILN_USAGE);
  REQUIRE(kiln_array_header(large, sizeof large, y, 1, 2, empty, &error) == KILN_OK);
  CHECK(large[4] == 0);
  const void *arguments[] = {header, &i};
  kiln_shape shape{};
  shape.struct_size = sizeof shape;
  REQUIRE(kiln_kernel_launch(kernel, stream, &shape, arguments, 2, &error) == KILN_OK);
  REQUIRE(kiln_stream_synchronize(stream, &error) == KILN_OK);
  CHECK(y[1] == 1);

  i = 5;
  REQUIRE(kiln_kernel_launch(kernel, stream, &shape, arguments, 2, &error) == KILN_OK);
  CHECK(kiln_stream_synchronize(stream, &error) == KILN_INPUT);
  REQUIRE(kiln_error_count(error) == 1);
  CHECK(std::string(kiln_error_kind(error, 0)) == "BoundsError");
  CHECK(std::string(kiln_error_file(error, 0)) == "test.jl");
  CHECK(kiln_error_line(error, 0) == 2);
  CHECK(kiln_error_status(error) == KILN_INPUT);
  REQUIRE(kiln_error_frame_count(error, 0) >= 1);
  CHECK(std::string(kiln_error_frame_file(error, 0, kiln_error_frame_count(error, 0) - 1)) == "test.jl");
  CHECK(std::string(kiln_error_message(error, 1)).empty()); // past the end
  CHECK(kiln_error_line(error, 1) == 0);
  kiln_error_free(error);

  CHECK(kiln_kernel_launch(kernel, stream, &shape, arguments, 1, &error) == KILN_USAGE);
  kiln_error_free(error);
  CHECK(kiln_kernel_launch(kernel, nullptr, &shape, arguments, 2, &error) == KILN_USAGE);
  kiln_error_free(error);
  shape.time_limit = -1;
  CHECK(kiln_kernel_launch(kernel, stream, &shape, arguments, 2, &error) == KILN_USAGE);
  kiln_error_free(error);

  // In any order, the session first: the others work on.
  kiln_session_close(open.session);
  shape.time_limit = 0;
  i = 4;
  CHECK(kiln_kernel_launch(kernel, stream, &shape, arguments, 2, &error) == KILN_OK);
  CHECK(kiln_stream_synchronize(stream, &error) == KILN_OK);
  CHECK(y[3] == 1);
  kiln_device_free(cpu);
  kiln_kernel_free(kernel);
  kiln_stream_free(stream);
}

TEST_CASE("a handle that is freed while others use it lives until they are done") {
  constexpr int rounds = 2000;
  for (int round = 0; round < rounds / 100; round++) {
    kiln_event *event = nullptr;
    REQUIRE(kiln_event_create(&event, nullptr) == KILN_OK);
    std::atomic<bool> go = false;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
      threads.emplace_back([&] {
        while (!go) std::this_thread::yield();
        for (int i = 0; i < 100; i++)
          kiln_event_wait(event, nullptr); // KILN_OK or, once it is freed, KILN_USAGE
      });
    go = true;
    kiln_event_free(event);
    for (std::thread &thread : threads) thread.join();
    CHECK(kiln_event_wait(event, nullptr) == KILN_USAGE);
  }
}

TEST_CASE("reports come as text") {
  kiln_session_options options{};
  options.timings = 1;
  Open open(options);
  kiln_error *error = nullptr;
  char *text = nullptr;
  REQUIRE(kiln_timings(open.session, "json", &text, &error) == KILN_OK);
  CHECK(text[0] == '{');
  kiln_text_free(text);
  CHECK(kiln_timings(open.session, "pie", &text, &error) == KILN_USAGE);
  CHECK(text == nullptr);
  kiln_error_free(error);
  CHECK(std::string(kiln_version()).find('.') != std::string::npos);
  CHECK(kiln_has_feature("cuda") == 1);
  CHECK(kiln_has_feature("wings") == 0);
  CHECK(kiln_has_feature(nullptr) == 0);
  CHECK(kiln_precompile("/nowhere/at.all", nullptr, nullptr, &error) == KILN_INPUT);
  kiln_error_free(error);
  CHECK(kiln_precompile("/", nullptr, nullptr, &error) == KILN_INPUT);
  CHECK(told(error).find("it is a directory") != std::string::npos);
}

} // namespace c_api_test
