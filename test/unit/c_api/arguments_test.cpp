// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of launches by name, which a thread keeps from one launch to the next: of every kind, with other
// values, types and numbers of them, wrong ones between right ones, several threads.
#include "open.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace arguments_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

constexpr unsigned one[3] = {1, 1, 1};

kiln_argument argument(int kind, const char *type, void *data) {
  kiln_argument a{};
  a.struct_size = sizeof a;
  a.kind = kind;
  a.type = type;
  a.data = data;
  return a;
}
kiln_argument array(const char *type, void *data, const int64_t *dims, int ndim = 1) {
  kiln_argument a = argument(KILN_ARRAY, type, data);
  a.dims = dims;
  a.ndim = ndim;
  return a;
}

struct Open : OpenSession {
  explicit Open(const char *text) { ok(load(text, &error), error); }
  int launch(const char *function, const std::vector<kiln_argument> &arguments) {
    return kiln_launch(session, nullptr, function, one, one, arguments.data(), arguments.size(), &error);
  }
  void right(const char *function, const std::vector<kiln_argument> &arguments) {
    const int status = launch(function, arguments);
    ok(status, error);
  }
  void wrong(const char *function, const std::vector<kiln_argument> &arguments, const std::string &why) {
    CHECK(launch(function, arguments) == KILN_USAGE);
    CHECK_THAT(told(error), Contains(why));
  }
};

constexpr const char *put = "put(y, x) = (y[1] = x; return)\n";

} // namespace

TEST_CASE("scalars of every type keep their bytes, launch after launch at the same place") {
  Open open(put);
  struct {
    const char *type;
    size_t size;
  } types[] = {{"Int64", 8},    {"Bool", 1},       {"Int8", 1},       {"UInt8", 1},   {"Int16", 2},
               {"UInt16", 2},   {"Float16", 2},    {"Int32", 4},      {"UInt32", 4},  {"Float32", 4},
               {"Char", 4},     {"Int", 8},        {"UInt64", 8},     {"Float64", 8}, {"Int128", 16},
               {"UInt128", 16}, {"ComplexF32", 8}, {"ComplexF64", 16}};
  const int64_t n = 2;
  for (const auto &[type, size] : types)
    for (int seed = 0; seed < 3; seed++) {
      INFO(type << ", " << seed);
      unsigned char x[16], y[32] = {};
      for (size_t i = 0; i < size; i++) x[i] = static_cast<unsigned char>(37 * seed + 5 * int(i) + 1);
      if (std::string(type) == "Bool") x[0] = seed & 1;
      if (std::string(type) == "Char") std::memset(x, 0, 3), x[3] = static_cast<unsigned char>('a' + seed);
      open.right("put", {array(type, y, &n), argument(KILN_SCALAR, type, x)});
      CHECK(std::memcmp(x, y, size) == 0);
      for (size_t i = size; i < 2 * size; i++) CHECK(y[i] == 0);
    }
}

TEST_CASE("the same place takes another array, another size, another kind, another type") {
  Open open("put(y, x::Number) = (y[1] = x; return)\n"
            "put(y, x) = (y[1] = length(x); return)\n"
            "put(y::CuDeviceMatrix, x::Number) = (y[2, 1] = x; return)\n"
            "function put(y, x...)\n y[1] = length(x)\n y[2] = x[end]\n return\nend\n");
  int64_t y[6] = {}, z[6] = {}, x = 5, m = 6, k = 3;
  const int64_t matrix[] = {3, 2};
  open.right("put", {array("Int64", y, &m), argument(KILN_SCALAR, "Int64", &x)});
  CHECK(y[0] == 5);
  x = 6;
  open.right("put", {array("Int64", z, &k), argument(KILN_SCALAR, "Int64", &x)});
  CHECK(y[0] == 5);
  CHECK(z[0] == 6);
  open.right("put", {array("Int64", y, &m), array("Int64", z, &k)});
  CHECK(y[0] == 3);
  k = 4;
  open.right("put", {array("Int64", y, &m), array("Int64", z, &k)});
  CHECK(y[0] == 4);
  open.right("put", {array("Int64", y, matrix, 2), argument(KILN_SCALAR, "Int64", &x)});
  CHECK(y[1] == 6);
  const int64_t rows[] = {2, 3}, strides[] = {3, 1}; // the same memory, as C has matrices
  kiln_argument row_major = array("Int64", y, rows, 2);
  row_major.strides = strides;
  x = 7;
  open.right("put", {row_major, argument(KILN_SCALAR, "Int64", &x)});
  CHECK(y[1] == 7);
  // The text is looked at, not where it stands.
  char type[] = "Int64";
  x = -1;
  open.right("put", {array("Int64", y, &m), argument(KILN_SCALAR, type, &x)});
  CHECK(y[0] == -1);
  std::strcpy(type, "UInt8");
  open.right("put", {array("Int64", y, &m), argument(KILN_SCALAR, type, &x)});
  CHECK(y[0] == 255);
  std::strcpy(type, "Int");
  open.right("put", {array("Int64", y, &m), argument(KILN_SCALAR, type, &x)});
  CHECK(y[0] == -1);
  // By dtype between two by type.
  kiln_argument byte = argument(KILN_SCALAR, nullptr, &x);
  byte.dtype = {1, 16, 1};
  for (int i = 0; i < 2; i++) {
    open.right("put", {array("Int64", y, &m), byte});
    CHECK(y[0] == 65535);
    byte.dtype.bits = 16;
  }
  // More than a thread keeps, then few again.
  std::vector<int64_t> values(40);
  std::vector<kiln_argument> many{array("Int64", y, &m)};
  for (size_t i = 0; i < values.size(); i++) {
    values[i] = int64_t(100 + i);
    many.push_back(argument(KILN_SCALAR, "Int64", &values[i]));
  }
  open.right("put", many);
  CHECK(y[0] == 40);
  CHECK(y[1] == 139);
  x = 8;
  open.right("put", {array("Int64", y, &m), argument(KILN_SCALAR, "Int64", &x)});
  CHECK(y[0] == 8);
}

TEST_CASE("a wrong argument is refused between right ones, and changes nothing of them") {
  Open open(put);
  float y[4] = {}, x = 1;
  int64_t n = 4;
  const std::vector<kiln_argument> good{array("Float32", y, &n), argument(KILN_SCALAR, "Float32", &x)};
  auto still_right = [&] {
    x++;
    open.right("put", good);
    CHECK(y[0] == x);
  };
  auto refused = [&](size_t place, auto &&change, const std::string &why) {
    std::vector<kiln_argument> bad = good;
    change(bad[place]);
    INFO(why);
    open.wrong("put", bad, why);
    still_right();
  };
  still_right();
  refused(1, [](kiln_argument &a) { a.data = nullptr; }, "argument 2: `data` is a null pointer");
  refused(1, [](kiln_argument &a) { a.kind = 3; }, "argument 2: there is no kind 3");
  refused(1, [](kiln_argument &a) { a.kind = -1; }, "argument 2: there is no kind -1");
  refused(1, [](kiln_argument &a) { a.type = "Float3"; }, "there is no type `Float3`");
  refused(1, [](kiln_argument &a) { a.type = "Float322"; }, "there is no type `Float322`");
  refused(1, [](kiln_argument &a) { a.type = ""; }, "argument 2: ");
  refused(1, [](kiln_argument &a) { a.size = (1 << 16) + 1; }, "is no argument");
  refused(1, [](kiln_argument &a) { a.size = 8; }, "Float32 is 4 bytes, got 8");
  refused(1, [](kiln_argument &a) { a.struct_size++; }, "kiln_argument.struct_size is 73");
  refused(0, [](kiln_argument &a) { a.dims = nullptr; }, "argument 1: `dims` is a null pointer");
  refused(0, [](kiln_argument &a) { a.ndim = 33; }, "argument 1: 33 dimensions");
  refused(0, [](kiln_argument &a) { a.data = nullptr; }, "an array of 4 elements at a null pointer");
  refused(0, [](kiln_argument &a) { a.kind = KILN_BUFFER; }, "kiln_buffer");
  const int64_t negative = -1, huge = INT64_MAX, gap = 2;
  refused(0, [&](kiln_argument &a) { a.dims = &negative; }, "a dimension is negative");
  refused(0, [&](kiln_argument &a) { a.dims = &huge; }, "more bytes than there are");
  refused(0, [&](kiln_argument &a) { a.strides = &gap; }, "its strides leave gaps");
}

TEST_CASE("a buffer's size and life are looked at in each launch") {
  Open open(put);
  kiln_device *cpu = nullptr;
  kiln_stream *stream = nullptr;
  kiln_buffer *buffer = nullptr;
  ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
  ok(kiln_stream_open(open.session, cpu, &stream, &open.error), open.error);
  ok(kiln_stream_allocate(stream, 4 * sizeof(int64_t), &buffer, &open.error), open.error);
  int64_t n = 4, x = 3;
  const std::vector<kiln_argument> arguments{[&] {
                                               kiln_argument a = array("Int64", buffer, &n);
                                               a.kind = KILN_BUFFER;
                                               return a;
                                             }(),
                                             argument(KILN_SCALAR, "Int64", &x)};
  for (; x < 6; x++) {
    open.right("put", arguments);
    CHECK(*static_cast<int64_t *>(kiln_buffer_data(buffer)) == x);
  }
  n = 5;
  open.wrong("put", arguments, "argument 1: the array is larger than its buffer, which has 32 bytes");
  n = -4;
  open.wrong("put", arguments, "argument 1: the array is larger than its buffer");
  n = 4;
  open.right("put", arguments);
  kiln_buffer_free(buffer);
  open.wrong("put", arguments, "the kiln_buffer was freed");
  kiln_stream_free(stream);
  kiln_device_free(cpu);
}

TEST_CASE("threads launch by name with arguments of their own") {
  Open open(put);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; i++) {
        int64_t y[2] = {}, x = 1000 * t + i;
        float z[2] = {}, w = float(x);
        const int64_t n = 2;
        const kiln_argument whole[] = {array("Int64", y, &n), argument(KILN_SCALAR, "Int64", &x)},
                            real[] = {array("Float32", z, &n), argument(KILN_SCALAR, "Float32", &w)};
        const bool both = i % 3 != 0;
        if (kiln_launch(open.session, nullptr, "put", one, one, whole, 2, nullptr) || y[0] != x || y[1])
          wrong++;
        if (both && (kiln_launch(open.session, nullptr, "put", one, one, real, 2, nullptr) || z[0] != w))
          wrong++;
        if (i % 50 == 7 && kiln_launch(open.session, nullptr, "put", one, one, whole, 1, nullptr) == KILN_OK)
          wrong++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("a GPU's options need no target, and its memory is looked at in each launch") {
  ::setenv("KILN_CUDA_DRIVER", KILN_FAKE_CUDA, 1);
  Open open("idle(y, x) = nothing\n");
  kiln_device *gpu = nullptr;
  kiln_stream *stream = nullptr;
  kiln_buffer *buffer = nullptr, *other = nullptr;
  kiln_kernel *kernel = nullptr;
  ok(kiln_device_open(open.session, "cuda", &gpu, &open.error), open.error);
  ok(kiln_stream_open(open.session, gpu, &stream, &open.error), open.error);
  constexpr const char *call = "idle(CuDeviceVector{Int64,1}, Int64)";
  for (const char *options : {"{\"maxthreads\": 64}", "{\"arch\": \"sm_70\", \"O\": 1}", "{\"g\": 0}"}) {
    INFO(options);
    ok(kiln_prepare(open.session, call, options, gpu, &kernel, &open.error), open.error);
    kiln_kernel_free(kernel);
  }
  kiln_device *cpu = nullptr;
  ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
  CHECK(kiln_prepare(open.session, call, "{\"maxthreads\": 64}", cpu, &kernel, &open.error) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("\"maxthreads\" is for the target ptx, not native"));
  CHECK(kiln_prepare(open.session, call, "{\"target\": \"native\", \"maxthreads\": 64}", gpu, &kernel,
                     &open.error) == KILN_INPUT);
  CHECK_THAT(told(open.error), Contains("is for the target ptx, not native"));
  kiln_device_free(cpu);

  ok(kiln_stream_allocate(stream, 64, &buffer, &open.error), open.error);
  int64_t n = 8, x = 1;
  kiln_argument arguments[] = {array("Int64", kiln_buffer_data(buffer), &n),
                               argument(KILN_SCALAR, "Int64", &x)};
  kiln_launch_options options{};
  options.struct_size = sizeof options;
  options.function = "idle";
  options.options_json = "{\"maxthreads\": 64}";
  options.arguments = arguments;
  options.count = 2;
  options.stream = stream;
  for (int i = 0; i < 3; i++) ok(kiln_launch_ex(open.session, &options, &open.error), open.error);
  ok(kiln_stream_allocate(stream, 64, &other, &open.error), open.error);
  kiln_buffer_free(buffer); // another one stays
  CHECK(kiln_launch_ex(open.session, &options, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("is no memory that"));
  arguments[0].data = kiln_buffer_data(other);
  ok(kiln_launch_ex(open.session, &options, &open.error), open.error);
  kiln_buffer_free(other);
  kiln_stream_free(stream);
  kiln_device_free(gpu);
  ::unsetenv("KILN_CUDA_DRIVER");
}

} // namespace arguments_test
