// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions: compiled code calls C code. The same C++ functions, called here, give the expected values.
#include "host_functions.h"

namespace host_function_test {

TEST_CASE("compiled code calls host functions with the values that C would pass") {
  auto session = open();
  must(session->define_host_function(
      "mix",
      {.arguments = {"Int8", "UInt16", "Bool", "Float32", "Float64", "Ptr{Float64}"}, .returns = "Float64"},
      address_of(&mix)));
  must(session->load("f.jl", "f(a, b, c, d, e, p) = mix(a, b, c, d, e, p) + 1\n"));
  HostFunction f = must(session->prepare_function("f(Int8, UInt16, Bool, Float32, Float64, Ptr{Float64})"));
  const double numbers[] = {1.5, 2.25};
  const double *p = numbers;
  for (int a : {-128, -1, 127})
    for (unsigned b : {0u, 65535u})
      for (bool c : {false, true})
        CHECK(call<double>(f, int8_t(a), uint16_t(b), c, 0.5f, -3.0, p) ==
              mix(int8_t(a), uint16_t(b), c, 0.5f, -3.0, p) + 1);

  must(
      session->define_host_function("many", {.arguments = of_many, .returns = "Float64"}, address_of(&many)));
  HostFunction g = must(session->prepare_function("many(" + listed(of_many) + ")"));
  const int64_t a = -1, b = 2, c = 3, d = 4, e = 5, h = 6;
  CHECK(call<double>(g, a, b, c, d, e, h, int32_t(-7), int16_t(-8), .5, 1., 1.5, 2., 2.5, 3., 3.5, 4., 4.5,
                     5.f) == many(a, b, c, d, e, h, -7, -8, .5, 1., 1.5, 2., 2.5, 3., 3.5, 4., 4.5, 5.f));

  must(session->define_host_function("negated", {.arguments = {"Int8"}, .returns = "Int8"},
                                     address_of(&negated)));
  must(session->load("g.jl", "widened(x) = Int64(negated(x))\n"));
  CHECK(call<int64_t>(must(session->prepare_function("widened(Int8)")), int8_t(100)) == -100);
  must(session->define_host_function("is_even", {.arguments = {"UInt32"}, .returns = "Bool"},
                                     address_of(&is_even)));
  HostFunction even = must(session->prepare_function("is_even(UInt32)"));
  CHECK(call<bool>(even, 4u));
  CHECK(!call<bool>(even, 5u));
  counted = 0;
  must(session->define_host_function("count", {.arguments = {"Int64"}}, address_of(&count)));
  HostFunction counts = must(session->prepare_function("count(Int64)"));
  const int64_t n = 5;
  const void *arguments[] = {&n};
  must(counts.call(arguments, nullptr));
  CHECK(counted == 5);
}

TEST_CASE("an array goes to a host function by value, before and behind other arguments") {
  auto session = open();
  must(session->define_host_function(
      "sum_of", {.arguments = {"CuDeviceVector{Float64,1}", "Float64"}, .returns = "Float64"},
      address_of(&sum_of)));
  must(session->load("f.jl", "function k(y)\n  y[1] = sum_of(y, 0.25)\n  return\nend\n"));
  std::vector<double> y{1.5, 2, 3};
  must(session->launch("k", {}, {Argument::array(y.data(), {3})}));
  CHECK(y[0] == 6.75);
}

TEST_CASE("threads of a kernel call a host function on all workers") {
  auto session = open();
  must(session->define_host_function("count", {.arguments = {"Int64"}}, address_of(&count)));
  must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
  must(session->load("k.jl", "using CUDA\n"
                             "function k(y)\n"
                             "  i = (blockIdx().x - 1) * blockDim().x + threadIdx().x\n"
                             "  count(i)\n"
                             "  @inbounds y[i] = scaled(y[i], i)\n"
                             "  return\nend\n"
                             "function shared(y)\n" // with a barrier
                             "  part = CuStaticSharedArray(Float64, 64)\n"
                             "  t = threadIdx().x\n"
                             "  part[t] = scaled(y[t], Int64(t))\n"
                             "  sync_threads()\n"
                             "  y[t] = scaled(part[65 - t], 2)\n"
                             "  return\nend\n"
                             "function lanes(y)\n" // threads that wait are coroutines
                             "  t = threadIdx().x\n"
                             "  y[t] = scaled(shfl_sync(0xffffffff, scaled(y[t], Int64(t)), 33 - t), 3)\n"
                             "  return\nend\n"));
  counted = 0;
  std::vector<double> y(4096);
  std::iota(y.begin(), y.end(), 1.0);
  must(session->launch("k", {.blocks = {64, 1, 1}, .threads = {64, 1, 1}},
                       {Argument::array(y.data(), {4096})}));
  bool is_right = true;
  for (int64_t i = 1; i <= 4096; i++) is_right &= y[size_t(i - 1)] == scaled(double(i), i);
  CHECK(is_right);
  CHECK(counted == 4096 * 4097 / 2);

  std::vector<double> part(64), lane(32);
  std::iota(part.begin(), part.end(), 1.0);
  std::iota(lane.begin(), lane.end(), 1.0);
  must(session->launch("shared", {.threads = {64, 1, 1}}, {Argument::array(part.data(), {64})}));
  must(session->launch("lanes", {.threads = {32, 1, 1}}, {Argument::array(lane.data(), {32})}));
  for (int64_t t = 1; t <= 64; t++) CHECK(part[size_t(t - 1)] == scaled(scaled(double(65 - t), 65 - t), 2));
  for (int64_t t = 1; t <= 32; t++) CHECK(lane[size_t(t - 1)] == scaled(scaled(double(33 - t), 33 - t), 3));

  CompilerConfig checked;
  checked.check = true;
  must(session->launch("shared", {.threads = {64, 1, 1}}, {Argument::array(part.data(), {64})}, checked));
}

TEST_CASE("a status raises an exception at the line of the call") {
  auto session = open();
  must(session->define_host_function("root", of_root, address_of(&root)));
  must(session->define_host_function("check_positive", {.arguments = {"Int64"}, .raises = {"BoundsError"}},
                                     address_of(&check_positive)));
  must(session->define_host_function(
      "split", {.arguments = {"Float64"}, .returns = "Tuple{Int64,Float64}", .raises = {"ErrorException"}},
      address_of(&split)));
  must(session->load("cuda.jl", "using CUDA\n"));
  must(session->load("status.jl", "function f(x)\n"
                                  "  y = 2x\n"
                                  "  return root(y)\n" // line 3
                                  "end\n"
                                  "function k(y)\n"
                                  "  i = CUDA.threadIdx().x\n"
                                  "  check_positive(y[i])\n" // line 7
                                  "  y[i] = 100\n"
                                  "  return\n"
                                  "end\n"
                                  "function g(x)\n"
                                  "  whole, part = split(x)\n"
                                  "  whole + 10part\n"
                                  "end\n"));
  HostFunction f = must(session->prepare_function("f(Float64)"));
  CHECK(call<double>(f, 3.0) == 3.0);
  CHECK(call<double>(must(session->prepare_function("g(Float64)")), 2.25) == 4.5);
  struct Case {
    double x;
    ErrorCode code;
    std::string message;
  };
  for (const Case &expected :
       {Case{-1, ErrorCode::DomainError, "the number is negative"}, Case{1e7, ErrorCode::OverflowError, ""},
        Case{0, ErrorCode::ErrorException, "a \"strange\" $number\\"}}) {
    double result = 0;
    const void *arguments[] = {&expected.x};
    const auto failed = f.call(arguments, &result);
    const Diagnostic &d = first_of(failed);
    CHECK(d.code == expected.code);
    CHECK_THAT(d.message, Contains(expected.message));
    CHECK(d.at.line() == 3);
    CHECK(d.at.file_name() == "status.jl");
    REQUIRE(!d.stack.empty());
    CHECK(d.stack[0].function == "f");
  }
  std::vector<int64_t> y{5, 6, 0, 8};
  const auto failed = session->launch("k", {.threads = {4, 1, 1}}, {Argument::array(y.data(), {4})});
  CHECK(first_of(failed).code == ErrorCode::BoundsError);
  CHECK(first_of(failed).at.line() == 7);
  CHECK(y == std::vector<int64_t>{100, 100, 0, 100}); // the other threads went on
}

TEST_CASE("another address takes effect at the next call, and compiles nothing") {
  auto session = open();
  must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
  must(session->load("f.jl", "f(x) = scaled(x, 4)\n"));
  HostFunction f = must(session->prepare_function("f(Float64)"));
  Job job = must(session->job("f(Float64)", [] {
    CompilerConfig plain;
    plain.kernel = false;
    return plain;
  }()));
  CHECK(call<double>(f, 2.0) == scaled(2, 4));
  const auto before = session->counters();
  must(session->define_host_function("scaled", of_scaled, address_of(&shifted)));
  CHECK(job.is_current());
  CHECK(call<double>(f, 2.0) == shifted(2, 4));
  CHECK(call<double>(must(session->prepare_function("f(Float64)")), 2.0) == shifted(2, 4));
  CHECK(session->counters().compiled == before.compiled);
  CHECK(session->counters().inferred == before.inferred);

  // Functions of one name differ by their types, and have an address each.
  must(session->define_host_function("scaled", {.arguments = {"Int8", "Int64"}, .returns = "Int8"},
                                     address_of(+[](int8_t x, int64_t n) { return int8_t(x + n); })));
  CHECK(call<int8_t>(must(session->prepare_function("f(Int8)")), int8_t(3)) == 7);
  CHECK(call<double>(f, 2.0) == shifted(2, 4));
  // Another result: another method.
  must(session->define_host_function("scaled", {.arguments = {"Float64", "Int64"}, .returns = "Int64"},
                                     address_of(+[](double x, int64_t n) { return int64_t(x) * n; })));
  CHECK(!job.is_current());
  CHECK(call<int64_t>(must(session->prepare_function("f(Float64)")), 2.0) == 8);
  CHECK(call<double>(f, 2.0) == shifted(2, 4)); // code of its world
}

TEST_CASE("what is wrong with a definition") {
  auto session = open();
  auto refused = [&](const std::string &name, const HostSignature &signature, void *address) {
    return first_of(session->define_host_function(name, signature, address));
  };
  void *const any = address_of(&count);
  CHECK(refused("no name", {}, any).code == ErrorCode::Usage);
  CHECK(refused("", {}, any).code == ErrorCode::Usage);
  CHECK(refused("f", {}, nullptr).code == ErrorCode::Usage);
  CHECK(refused("f", {.arguments = {"NoType"}}, any).code == ErrorCode::UndefVarError);
  CHECK(refused("f", {.arguments = {"1"}}, any).code == ErrorCode::TypeError);
  CHECK(refused("f", {.arguments = {"Nothing"}}, any).code == ErrorCode::TypeError);
  const Diagnostic string = refused("f", {.arguments = {"Int64", "String"}}, any);
  CHECK(string.code == ErrorCode::TypeError);
  CHECK_THAT(string.message, Contains("argument 2 of `f`") && Contains("String"));
  CHECK(refused("f", {.arguments = {"Tuple{Int64,Int64}"}}, any).code ==
        ErrorCode::TypeError); // two registers
  CHECK(refused("f", {.arguments = {"Int128"}}, any).code == ErrorCode::TypeError);
  CHECK(refused("f", {.returns = "Tuple{Int64,Int64,Int64}"}, any).code == ErrorCode::TypeError);
  CHECK(refused("f", {.returns = "Any", .raises = {"DomainError"}}, any).code == ErrorCode::TypeError);
  CHECK_THAT(refused("f", {.raises = {"NoError: x"}}, any).message, Contains("NoError"));
  CHECK_THAT(refused("f", {.raises = {"DomainError: a\x1fZ"}}, any).message, Contains("control character"));
  // ccall has types of its own.
  must(session->load("f.jl", "f(x) = ccall(:f, Cvoid, (Tuple{Int64,Int64},), x)\n"));
  const auto by_value = session->prepare_function("f(Tuple{Int64,Int64})");
  CHECK(first_of(by_value).code == ErrorCode::TypeError);
  CHECK_THAT(first_of(by_value).message, Contains("argument 1 of the host function `f`"));
}

} // namespace host_function_test
